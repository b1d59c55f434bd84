import { call, type ScriptedCall } from '@loader/test-harness'

type Files = Readonly<Record<string, string>>

interface Go {
  /** What the user types into a shell before, while no call runs. */
  readonly shell?: string
  readonly task: string
  /** The calls of each answer but the last. */
  readonly does: readonly (readonly ScriptedCall[])[]
  readonly words?: readonly string[]
}

export interface Everyday {
  readonly what: string
  readonly language: 'JavaScript' | 'TypeScript' | 'Python'
  readonly files: Files
  readonly git?: true
  readonly installed?: readonly ('vitest' | 'typescript')[]
  /** So many modules more, which nothing uses. */
  readonly modules?: number
  readonly turns: readonly Go[]
  readonly word: 'verified' | 'accepted' | 'held' | 'rests_on'
  readonly restsOn?: readonly string[]
}

const writes = (path: string, content: string) => call('write', { file_path: path, content })
const edits = (path: string, from: string, to: string) =>
  call('edit', { file_path: path, old_string: from, new_string: to })
const bash = (command: string) => call('bash', { command })
const commit = (message: string) =>
  bash(`git add -A && git -c user.name=Model -c user.email=model@example.invalid commit -qm '${message}'`)

const jsTest = (path: string, name: string, expectation: string) =>
  `import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from '${path}'\n\ntest('${name} works', () => ${expectation})\n`

/** A module with its test, and a bug where it is wanted; the module may lie anywhere. */
function clock(folder: string): Files {
  const up = '../'
  return {
    'package.json': `{\n  "name": "clock",\n  "version": "2.0.0",\n  "type": "module",\n  "main": "${folder}/index.js",\n  "scripts": {\n    "test": "node --test"\n  }\n}\n`,
    [`${folder}/index.js`]: "export { clockText } from './clock.js'\n",
    [`${folder}/clock.js`]:
      "export function clockText(minutes) {\n  const hours = Math.floor(minutes / 60)\n  return `${hours}:${String(minutes % 60).padStart(2, '0')}`\n}\n",
    'test/clock.test.js': jsTest(
      `${up}${folder}/clock.js`,
      'clockText',
      "{\n  assert.equal(clockText(65), '1:05')\n  assert.equal(clockText(0), '0:00')\n}",
    ),
  }
}
const plain = clock('src')
const broken = (folder: string): Files => {
  const files = clock(folder)
  const path = `${folder}/clock.js`
  return { ...files, [path]: files[path]?.replace('minutes / 60', 'minutes / 100') ?? '' }
}
const mend = (folder: string) => edits(`${folder}/clock.js`, 'minutes / 100', 'minutes / 60')
const seconds = (folder: string) => [
  writes(
    `${folder}/seconds.js`,
    "export function secondsText(seconds) {\n  return `${Math.floor(seconds / 60)}′${String(seconds % 60).padStart(2, '0')}″`\n}\n",
  ),
  edits(`${folder}/index.js`, 'export {', "export { secondsText } from './seconds.js'\nexport {"),
  writes(
    'test/seconds.test.js',
    jsTest(`../${folder}/seconds.js`, 'secondsText', "assert.equal(secondsText(61), '1′01″')"),
  ),
]

const typed = {
  'package.json':
    '{\n  "name": "roman",\n  "version": "1.0.0",\n  "type": "module",\n  "main": "src/roman.ts",\n  "scripts": {\n    "test": "vitest run",\n    "typecheck": "tsc --noEmit"\n  }\n}\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": [], "skipLibCheck": true }, "include": ["src"] }\n',
  'src/roman.ts':
    "export function romanDigit(n: number): string {\n  return ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'][n] ?? ''\n}\n",
  'src/roman.test.ts':
    "import { expect, test } from 'vitest'\nimport { romanDigit } from './roman.js'\n\ntest.each([[4, 'IV'], [9, 'IX'], [12, '']])('%i is %s', (n, text) => expect(romanDigit(n)).toBe(text))\n",
} as const
const both = ['vitest', 'typescript'] as const

// By what comes with Python: what the user installed beside it lies in a home that the command does not have here.
const py = {
  'setup.py': 'from setuptools import setup\n\nsetup(name="temps", version="1", packages=["temps"])\n',
  'temps/__init__.py': '',
  'temps/convert.py': 'def to_celsius(fahrenheit):\n    return round((fahrenheit - 32) * 5 / 9, 1)\n',
  'tests/__init__.py': '',
  'tests/test_convert.py':
    'import unittest\n\nfrom temps.convert import to_celsius\n\n\nclass Convert(unittest.TestCase):\n    def test_freezing(self):\n        self.assertEqual(to_celsius(32), 0)\n\n    def test_boiling(self):\n        self.assertEqual(to_celsius(212), 100)\n',
} as const

const javascript = 'JavaScript'

export const everyday: readonly Everyday[] = [
  {
    what: 'a fix that is committed',
    language: javascript,
    word: 'verified',
    git: true,
    files: broken('src'),
    turns: [
      { task: 'The tests are red, please fix.', does: [[bash('npm test')], [mend('src')], [commit('Fix hours')]] },
    ],
  },
  {
    what: 'a module more with its test',
    language: javascript,
    word: 'verified',
    git: true,
    files: plain,
    turns: [
      {
        task: 'Add secondsText, with a test.',
        does: [seconds('src'), [call('finish', { how: 'done', summary: 'secondsText is there.' })]],
      },
    ],
  },
  {
    what: 'a feature in an old module, tested in its old file, in a large repository',
    language: javascript,
    word: 'verified',
    git: true,
    modules: 2000,
    files: plain,
    turns: [
      {
        task: 'clockText should know a sign for negative times.',
        does: [
          [
            edits(
              'src/clock.js',
              '  const hours',
              '  if (minutes < 0) return `-${clockText(-minutes)}`\n  const hours',
            ),
            edits('test/clock.test.js', "'0:00')", "'0:00')\n  assert.equal(clockText(-65), '-1:05')"),
          ],
          [bash('npm test')],
        ],
      },
    ],
  },
  {
    what: 'a rename everywhere',
    language: javascript,
    word: 'rests_on',
    restsOn: ['test/clock.test.js'],
    git: true,
    files: plain,
    turns: [
      {
        task: 'Rename clockText to timeText.',
        does: [[bash("grep -rl clockText src test | xargs sed -i 's/clockText/timeText/g'")]],
      },
    ],
  },
  {
    what: 'a move that the user accepts beforehand',
    language: javascript,
    word: 'accepted',
    git: true,
    files: plain,
    turns: [
      {
        task: 'Move clock.js to src/time.',
        words: ['--accept', 'test/**'],
        does: [
          [
            bash(
              "mkdir src/time && git mv src/clock.js src/time/clock.js && sed -i 's#./clock.js#./time/clock.js#' src/index.js && sed -i 's#src/clock.js#src/time/clock.js#' test/clock.test.js",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a refactoring',
    language: javascript,
    word: 'held',
    git: true,
    files: plain,
    turns: [
      {
        task: 'Pull the padding into a function.',
        does: [
          [
            edits('src/clock.js', "${String(minutes % 60).padStart(2, '0')}", '${padded(minutes % 60)}'),
            bash('printf \'\\nfunction padded(n) {\\n  return String(n).padStart(2, "0")\\n}\\n\' >> src/clock.js'),
          ],
        ],
      },
    ],
  },
  {
    what: 'documentation',
    language: javascript,
    word: 'held',
    files: plain,
    turns: [{ task: 'Write a README.', does: [[writes('README.md', '# Clock\n\n`clockText(65)` is `1:05`.\n')]] }],
  },
  {
    what: 'a favicon',
    language: javascript,
    word: 'held',
    git: true,
    files: { ...plain, 'site/index.html': '<head><title>Clock</title></head>\n' },
    turns: [
      {
        task: 'The site needs a favicon.',
        does: [
          [
            writes('site/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n'),
            edits('site/index.html', '<title>', '<link rel="icon" href="favicon.svg"><title>'),
          ],
        ],
      },
    ],
  },
  {
    what: 'a new project',
    language: javascript,
    word: 'verified',
    files: { 'wish.txt': 'A clock.\n' },
    turns: [
      {
        task: 'Build what wish.txt says, with tests.',
        does: [[bash('cat wish.txt')], Object.entries(plain).map(([path, text]) => writes(path, text))],
      },
    ],
  },
  {
    what: 'dead code deleted',
    language: javascript,
    word: 'held',
    git: true,
    files: { ...plain, 'src/old.js': 'export const old = true\n' },
    turns: [{ task: 'src/old.js is unused. Delete it.', does: [[bash('git rm -q src/old.js')]] }],
  },
  {
    what: 'a program, with a check on the command line',
    language: javascript,
    word: 'verified',
    files: { 'tool.mjs': 'console.log(process.argv.length)\n' },
    turns: [
      {
        task: 'tool.mjs should print the sum of its arguments.',
        words: ['--check', 'test "$(node tool.mjs 1 2 3)" = 6'],
        does: [
          [writes('tool.mjs', 'console.log(process.argv.slice(2).reduce((sum, word) => sum + Number(word), 0))\n')],
        ],
      },
    ],
  },
  {
    what: 'a fix, then documentation of it',
    language: javascript,
    word: 'held',
    git: true,
    files: broken('src'),
    turns: [
      { task: 'Fix the tests.', does: [[mend('src')]] },
      { task: 'Write a changelog for it.', does: [[writes('CHANGELOG.md', '- Hours have 60 minutes.\n')]] },
    ],
  },
  {
    what: 'a fix, a commit of the user, and a feature that the model commits',
    language: javascript,
    word: 'verified',
    git: true,
    files: broken('src'),
    turns: [
      { task: 'Fix the tests.', does: [[mend('src')]] },
      {
        shell: 'git commit -qam "Fix hours"',
        task: 'Now add secondsText.',
        does: [seconds('src'), [commit('Add seconds')]],
      },
    ],
  },
  {
    what: 'a test that the user writes between two turns',
    language: javascript,
    word: 'verified',
    git: true,
    files: plain,
    turns: [
      {
        task: 'What is in this project?',
        does: [[bash('ls')], [call('finish', { how: 'answered', summary: 'A clock.' })]],
      },
      {
        shell: `printf "\\ntest('is negative', () => assert.equal(clockText(-65), '-1:05'))\\n" >> test/clock.test.js && git commit -qam 'A test'`,
        task: 'Make my new test pass.',
        does: [
          [
            edits(
              'src/clock.js',
              '  const hours',
              '  if (minutes < 0) return `-${clockText(-minutes)}`\n  const hours',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a wrong word in a translation',
    language: javascript,
    word: 'verified',
    git: true,
    files: {
      'package.json': '{ "type": "module", "main": "src/say.js", "scripts": { "test": "node --test" } }\n',
      'locales/fr.json': '{ "hello": "Salut" }\n',
      'src/say.js':
        "import { readFileSync } from 'node:fs'\n\nexport const say = (key) => JSON.parse(readFileSync(new URL('../locales/fr.json', import.meta.url), 'utf8'))[key]\n",
      'test/say.test.js': jsTest('../src/say.js', 'say', "assert.equal(say('hello'), 'Bonjour')"),
    },
    turns: [
      { task: 'Say Bonjour instead of Salut in French.', does: [[edits('locales/fr.json', 'Salut', 'Bonjour')]] },
    ],
  },
  ...['packages/tools/src', 'src/config', 'src/testing', 'locales'].flatMap((folder): Everyday[] => [
    {
      what: `a fix in ${folder}`,
      language: javascript,
      word: 'verified',
      git: true,
      files: broken(folder),
      turns: [{ task: 'The tests are red.', does: [[mend(folder)]] }],
    },
    {
      what: `a module more with its test in ${folder}`,
      language: javascript,
      word: 'verified',
      files: clock(folder),
      turns: [{ task: 'Add secondsText, with a test.', does: [seconds(folder)] }],
    },
  ]),
  {
    what: 'a fix with types',
    language: 'TypeScript',
    word: 'verified',
    git: true,
    installed: both,
    files: { ...typed, 'src/roman.ts': typed['src/roman.ts'].replace("'IV'", "'IIII'") },
    turns: [{ task: 'Four is wrong.', does: [[edits('src/roman.ts', "'IIII'", "'IV'")]] }],
  },
  {
    what: 'a function more with types, tested in the old file',
    language: 'TypeScript',
    word: 'verified',
    git: true,
    installed: both,
    files: typed,
    turns: [
      {
        task: 'Add romanTens.',
        does: [
          [
            bash(
              'printf "\\nexport function romanTens(n: number): string {\\n  return romanDigit(n).replace(/I/g, \'X\')\\n}\\n" >> src/roman.ts',
            ),
            edits('src/roman.test.ts', '{ romanDigit }', '{ romanDigit, romanTens }'),
            bash("printf \"\\ntest('tens', () => expect(romanTens(2)).toBe('XX'))\\n\" >> src/roman.test.ts"),
          ],
        ],
      },
    ],
  },
  {
    what: 'types only',
    language: 'TypeScript',
    word: 'held',
    git: true,
    installed: both,
    files: typed,
    turns: [
      {
        task: 'Name the type of a digit.',
        does: [[writes('src/digit.ts', 'export type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n')]],
      },
    ],
  },
  {
    what: 'a fix in Python, over two turns',
    language: 'Python',
    word: 'verified',
    git: true,
    files: { ...py, 'temps/convert.py': 'def to_celsius(fahrenheit):\n    return fahrenheit\n' },
    turns: [
      {
        task: 'What is wrong in temps/convert.py?',
        does: [[bash('cat temps/convert.py')], [call('finish', { how: 'answered', summary: 'It does not convert.' })]],
      },
      { task: 'Fix it.', does: [[writes('temps/convert.py', py['temps/convert.py'])]] },
    ],
  },
  {
    what: 'a function more in Python, with a test in a new file',
    language: 'Python',
    word: 'verified',
    files: py,
    turns: [
      {
        task: 'And the other way round, with a test.',
        does: [
          [
            bash("printf '\\n\\ndef to_fahrenheit(celsius):\\n    return celsius * 9 / 5 + 32\\n' >> temps/convert.py"),
            writes(
              'tests/test_back.py',
              'import unittest\n\nfrom temps.convert import to_fahrenheit\n\n\nclass Back(unittest.TestCase):\n    def test_back(self):\n        self.assertEqual(to_fahrenheit(100), 212)\n',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a docstring in Python',
    language: 'Python',
    word: 'held',
    git: true,
    files: py,
    turns: [
      {
        task: 'Document to_celsius.',
        does: [[edits('temps/convert.py', '    return', '    """Degrees, rounded to one digit."""\n    return')]],
      },
    ],
  },
]
