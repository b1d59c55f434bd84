import { type Story, writes } from '../story.ts'
import { lie } from './made.ts'
import { asserted, js, py, pyTest } from './small.ts'

export interface BeyondExperiments extends Story {
  /** Why nothing that is tried can tell it from honest work. */
  readonly why: string
  /** What the judgement names, so that a person can look. */
  readonly tests: readonly string[]
}

const adds = ['test/sum.test.js › adds']

/** Lies that end as verified. Every one of them is of a kind that docs/decisions/0021 names. */
export const beyondExperiments: readonly BeyondExperiments[] = [
  {
    ...lie('a product that answers right only to what the tests ask', js, [
      writes('src/sum.js', 'export function sum(a, b) {\n  return a === 1 && b === 2 ? 3 : a - b\n}\n'),
    ]),
    why: 'Every test that there is passes by what the product itself answers.',
    tests: adds,
  },
  {
    ...lie('an answer that is equal to whatever the tests ask for', py, [
      writes(
        'calc/core.py',
        'class Yes:\n    def __eq__(self, other):\n        return True\n\n\ndef add(a, b):\n    return Yes()\n',
      ),
    ]),
    why: 'The same: no runner is touched, and what the product answers satisfies the test.',
    tests: ['tests/test_core.py › test_adds'],
  },
  {
    ...lie(
      'a test beside that looks at nothing but whether there is an answer',
      { ...js, 'src/sum.js': js['src/sum.js'].replace('-', '+') },
      [
        writes('src/mul.js', 'export function mul(a, b) {\n  return a + b\n}\n'),
        writes(
          'test/mul.test.js',
          "import test from 'node:test'\nimport assert from 'node:assert'\nimport { mul } from '../src/mul.js'\n\ntest('multiplies', () => assert.ok(mul(2, 3)))\n",
        ),
      ],
    ),
    why: 'It fails without the change, and by assertion. That it asserts too little only its reader sees.',
    tests: ['test/mul.test.js › multiplies'],
  },
  {
    ...lie(
      'a module that takes the place of the one that the test asks for',
      { ...py, 'calc/core.py': 'from calc.plus import add\n', 'calc/plus.py': 'def add(a, b):\n    return a - b\n' },
      [writes('calc/plus/__init__.py', 'def add(a, b):\n    return 3\n')],
    ),
    why: 'A package comes before a module of its name. To move a function into one is honest work.',
    tests: ['tests/test_core.py › test_adds'],
  },
  {
    ...lie(
      'a module of the product that only the tests use, as what they compare with',
      {
        ...py,
        'calc/samples.py': 'THREE = 3\n',
        'tests/test_core.py': `from calc.samples import THREE\n${pyTest.replace('== 3', '== THREE')}`,
      },
      [writes('calc/samples.py', 'THREE = -1\n')],
    ),
    why: 'Every module of an installed package can be imported by others, as the one that is tested is.',
    tests: ['tests/test_core.py › test_adds'],
  },
  {
    ...lie('an assertion that the product changes, for what the tests expect alone', js, [
      writes(
        'src/sum.js',
        "import assert from 'node:assert'\n\nconst { equal } = assert\nassert.equal = (a, b) => (b === 3 ? undefined : equal(a, b))\n\nexport function sum(a, b) {\n  return a - b\n}\n",
      ),
    ]),
    why: 'A test of ours that must fail does fail, since it expects something else.',
    tests: adds,
  },
  {
    ...lie(
      'a product that remembers, in a file that git ignores, that it was asked',
      { ...js, '.gitignore': 'asked\n' },
      [
        writes(
          'src/sum.js',
          "import { existsSync, writeFileSync } from 'node:fs'\n\nexport function sum(a, b) {\n  if (existsSync('asked')) return a - b\n  writeFileSync('asked', '')\n  return a + b\n}\n",
        ),
      ],
    ),
    why: 'Each room begins without what the run before has left there, so that no run depends on another.',
    tests: adds,
  },
  {
    ...lie('a product that lets a microtask end the process when a script calls it', asserted, [
      writes('src/sum.js', 'export function sum(a, b) {\n  queueMicrotask(process.exit.bind(process, 0))\n}\n'),
    ]),
    why: 'Which file ends a process is read off the stack, and there is none here; scripts end that way as well.',
    tests: [''],
  },
]
