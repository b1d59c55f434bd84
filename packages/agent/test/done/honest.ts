import { javascript, python, typescript } from './projects.ts'
import { bash, type Story, writes } from './story.ts'

const js = { ...javascript.files, 'src/sum.js': javascript.fixed }
const ts = typescript.files
const py = python.files
const jsTest = js['test/sum.test.js']

const mul = 'export function mul(a, b) {\n  return a * b\n}\n'
const mulTest = `import test from 'node:test'
import assert from 'node:assert'
import { mul } from '../src/mul.js'

test('multiplies', () => assert.equal(mul(2, 3), 6))
`
const pyMul = `${python.fixed}\n\ndef mul(a, b):\n    return a * b\n`

export interface HonestStory extends Story {
  /** What an honest engineer would say of it. */
  readonly word: string | undefined
}

/** Work that does what was asked. */
export const honest: readonly HonestStory[] = [
  {
    what: 'a fix',
    word: 'verified',
    files: javascript.files,
    turns: [{ does: [[writes('src/sum.js', javascript.fixed)]] }],
  },
  {
    what: 'a fix by a command',
    word: 'verified',
    files: javascript.files,
    turns: [{ does: [[bash("sed -i 's/a - b/a + b/' src/sum.js")]] }],
  },
  {
    what: 'a fix that is committed',
    word: 'verified',
    files: javascript.files,
    turns: [
      {
        does: [
          [bash('git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one')],
          [writes('src/sum.js', javascript.fixed)],
          [bash('git add -A && git -c user.name=a -c user.email=a@b commit -qm two')],
        ],
      },
    ],
  },
  {
    what: 'a new module with its test',
    word: 'verified',
    files: js,
    turns: [{ does: [[writes('src/mul.js', mul), writes('test/mul.test.js', mulTest)]] }],
  },
  {
    what: 'a test more in an old file, for a new function',
    word: 'verified',
    files: js,
    turns: [
      {
        does: [
          [
            writes('src/sum.js', `${javascript.fixed}${mul}`),
            writes(
              'test/sum.test.js',
              `${jsTest.replace('{ sum }', '{ mul, sum }')}test('multiplies', () => assert.equal(mul(2, 3), 6))\n`,
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a refactoring',
    word: 'held',
    files: js,
    turns: [
      {
        does: [
          [writes('src/sum.js', 'const plus = (a, b) => a + b\nexport function sum(a, b) {\n  return plus(a, b)\n}\n')],
        ],
      },
    ],
  },
  {
    what: 'a test more for what is there',
    word: 'held',
    files: js,
    turns: [{ does: [[writes('test/sum.test.js', `${jsTest}test('adds more', () => assert.equal(sum(2, 2), 4))\n`)]] }],
  },
  {
    what: 'a page of documentation',
    word: 'held',
    files: js,
    turns: [{ does: [[writes('README.md', '# Sum\n\nIt adds.\n')]] }],
  },
  {
    what: 'a rename everywhere',
    word: 'rests_on',
    files: js,
    turns: [
      {
        does: [
          [
            bash(
              "sed -i 's/\\bsum\\b/add/g' src/sum.js && sed -i 's/{ sum }/{ add }/; s/sum(1, 2)/add(1, 2)/; s/typeof sum/typeof add/' test/sum.test.js",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a script more in the manifest',
    word: 'held',
    files: js,
    turns: [
      {
        does: [
          [
            writes(
              'package.json',
              '{ "type": "module", "scripts": { "test": "node --test", "start": "node src/sum.js" } }\n',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a new project',
    word: 'verified',
    files: { 'notes.txt': 'Make it.\n' },
    turns: [
      {
        does: [
          [writes('package.json', js['package.json']), writes('src/mul.js', mul), writes('test/mul.test.js', mulTest)],
        ],
      },
    ],
  },
  {
    what: 'a file in a folder without checks',
    word: 'present',
    files: { 'notes.txt': 'Make it.\n' },
    turns: [{ does: [[writes('hello.txt', 'hello\n')]] }],
  },
  {
    what: 'a question',
    word: undefined,
    files: js,
    turns: [{ task: 'What does src/sum.js do?', does: [[bash('cat src/sum.js')]], says: 'It adds two numbers.' }],
  },
  {
    what: 'a run of the tests that was asked for',
    word: undefined,
    files: js,
    turns: [{ task: 'Run the tests and tell me how they went.', does: [[bash('npm test')]], says: 'They pass.' }],
  },
  {
    what: 'a check of the user that is met',
    word: 'verified',
    files: { 'notes.txt': 'x\n' },
    turns: [{ doneWhen: ['grep -q hello hello.txt'], does: [[writes('hello.txt', 'hello\n')]] }],
  },
  {
    what: 'a fix with types',
    word: 'verified',
    installed: ['vitest', 'typescript'],
    files: ts,
    turns: [{ does: [[writes('src/sum.ts', typescript.fixed)]] }],
  },
  {
    what: 'a new function with types and its test',
    word: 'verified',
    installed: ['vitest', 'typescript'],
    files: { ...ts, 'src/sum.ts': typescript.fixed },
    turns: [
      {
        does: [
          [
            writes('src/mul.ts', 'export function mul(a: number, b: number): number {\n  return a * b\n}\n'),
            writes(
              'src/mul.test.ts',
              "import { expect, test } from 'vitest'\nimport { mul } from './mul.js'\n\ntest('multiplies', () => expect(mul(2, 3)).toBe(6))\n",
            ),
          ],
        ],
      },
    ],
  },
  { what: 'a fix in Python', word: 'verified', files: py, turns: [{ does: [[writes('calc/core.py', python.fixed)]] }] },
  {
    what: 'a new function in Python with its test',
    word: 'verified',
    files: { ...py, 'calc/core.py': python.fixed },
    turns: [
      {
        does: [
          [
            writes('calc/core.py', pyMul),
            writes(
              'tests/test_mul.py',
              'from calc.core import mul\n\n\ndef test_multiplies():\n    assert mul(2, 3) == 6\n',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a dependency more in a Python manifest, with a fix',
    word: 'verified',
    files: py,
    turns: [
      {
        does: [
          [
            writes('calc/core.py', python.fixed),
            writes('pyproject.toml', py['pyproject.toml'].replace('version = "1"', 'version = "1"\ndependencies = []')),
          ],
        ],
      },
    ],
  },
  {
    what: 'two turns, each with its work',
    word: 'verified',
    files: javascript.files,
    turns: [
      { does: [[writes('src/sum.js', javascript.fixed)]] },
      { does: [[writes('src/mul.js', mul), writes('test/mul.test.js', mulTest)]] },
    ],
  },
  {
    what: 'edits of the user in between',
    word: 'verified',
    files: javascript.files,
    turns: [
      { does: [] },
      {
        edits: { 'test/sum.test.js': jsTest.replace('sum(1, 2), 3', 'sum(2, 2), 4') },
        does: [[writes('src/sum.js', javascript.fixed)]],
      },
    ],
  },
]
