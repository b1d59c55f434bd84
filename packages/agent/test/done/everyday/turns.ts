import { bash, edits, writes } from '../story.ts'
import type { Everyday } from './everyday.ts'

const language = 'JavaScript'

const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/text.js': 'export function title(text) {\n  return text.toUpperCase()\n}\n',
  'test/text.test.js':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { title } from '../src/text.js'\n\ntest('is a title', () => assert.equal(title('ab cd'), 'Ab Cd'))\n",
} as const
const fixed = 'export function title(text) {\n  return text.replace(/\\b\\w/g, (letter) => letter.toUpperCase())\n}\n'
const wordsTest =
  "import test from 'node:test'\nimport assert from 'node:assert'\nimport { words } from '../src/words.js'\n\ntest('counts', () => assert.equal(words('a b'), 2))\n"
const words = "export function words(text) {\n  return text.split(' ').length\n}\n"
const commit = (message: string) =>
  bash(`git add -A && git -c user.name=Model -c user.email=model@example.invalid commit -qm '${message}'`)

/** Work over several turns, with commits and edits in between. */
export const turns: readonly Everyday[] = [
  {
    what: 'a fix, then a feature, each committed by the model',
    language,
    word: 'verified',
    git: true,
    files,
    turns: [
      { task: 'Fix title.', does: [[writes('src/text.js', fixed)], [commit('Fix')]] },
      {
        task: 'Now count words.',
        does: [[writes('src/words.js', words), writes('test/words.test.js', wordsTest)], [commit('Count words')]],
      },
    ],
  },
  {
    what: 'a feature whose test comes in the next turn',
    language,
    word: 'verified',
    git: true,
    files: { ...files, 'src/text.js': fixed },
    turns: [
      { task: 'Count words.', does: [[writes('src/words.js', words)]] },
      { task: 'Test it.', does: [[writes('test/words.test.js', wordsTest)]] },
    ],
  },
  {
    what: 'a question, a fix and a question',
    language,
    word: 'verified',
    git: true,
    files,
    turns: [
      { task: 'What does title do?', does: [[bash('cat src/text.js')]], says: 'It shouts.' },
      { task: 'Then fix it.', does: [[writes('src/text.js', fixed)]] },
    ],
  },
  {
    what: 'a test that the user writes first, and the work in the next turn',
    language,
    word: 'verified',
    git: true,
    files: {
      ...files,
      'package.json': '{ "type": "module", "main": "src/text.js", "scripts": { "test": "node --test" } }\n',
      'src/text.js': fixed,
    },
    turns: [
      { task: 'Hello.', does: [], says: 'Hello.' },
      {
        edits: { 'test/words.test.js': wordsTest },
        shell: 'git add -A && git commit -qm "A test"',
        task: 'I wrote a test for words, please make it pass.',
        does: [[writes('src/words.js', words)]],
      },
    ],
  },
  {
    what: 'a test that the user corrects between two turns',
    language,
    word: 'verified',
    git: true,
    files,
    turns: [
      { task: 'Fix title.', does: [[writes('src/text.js', fixed)]] },
      {
        edits: { 'test/text.test.js': files['test/text.test.js'].replace("'Ab Cd'", "'Ab cd'") },
        task: 'I changed my mind, see the test.',
        does: [[edits('src/text.js', '/\\b\\w/g', '/^\\w/')]],
      },
    ],
  },
  {
    what: 'a branch that the user switches to between two turns',
    language,
    word: 'verified',
    files,
    shell:
      "git init -q . && git add -A && git commit -qm main && git checkout -qb other && echo '# Other' > README.md && git add -A && git commit -qm other && git checkout -q -",
    turns: [
      { task: 'What is there?', does: [[bash('ls')]], says: 'A function.' },
      { shell: 'git checkout -q other', task: 'Fix title here.', does: [[writes('src/text.js', fixed)]] },
    ],
  },
  {
    what: 'a commit of the user of what the model wrote, and a refactoring after it',
    language,
    word: 'held',
    git: true,
    files,
    turns: [
      { task: 'Fix title.', does: [[writes('src/text.js', fixed)]] },
      {
        shell: 'git add -A && git commit -qm "Fix title"',
        task: 'Use an arrow function.',
        does: [
          [
            writes(
              'src/text.js',
              fixed
                .replace('function title(text) {\n  return ', 'const title = (text) => ')
                .replace('\n}\n', '\n')
                .replace('export const', 'export const'),
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a rename that the user accepted beforehand',
    language,
    word: 'accepted',
    git: true,
    config: { accept: ['test/**'] },
    files: { ...files, 'src/text.js': fixed },
    turns: [
      {
        task: 'Rename title to titled.',
        does: [[bash("sed -i 's/\\btitle\\b/titled/g' src/text.js test/text.test.js")]],
      },
    ],
  },
  {
    what: 'a rename that the user has edited in themselves, and a fix',
    language,
    word: 'verified',
    git: true,
    files,
    turns: [
      { task: 'What is here?', does: [[bash('ls src')]], says: 'One module.' },
      {
        shell: "sed -i 's/title/headline/g' src/text.js test/text.test.js",
        task: 'I renamed it. Now make the test pass.',
        does: [[writes('src/text.js', fixed.replace('title', 'headline'))]],
      },
    ],
  },
  {
    what: 'three turns of one feature',
    language,
    word: 'verified',
    files: { ...files, 'src/text.js': fixed },
    turns: [
      { task: 'Begin a module words.', does: [[writes('src/words.js', 'export function words() {\n  return 0\n}\n')]] },
      { task: 'Make it count.', does: [[writes('src/words.js', words)]] },
      { task: 'And test it.', does: [[writes('test/words.test.js', wordsTest)]] },
    ],
  },
  {
    what: 'a turn without success, and one with it',
    language,
    word: 'verified',
    files,
    turns: [
      {
        task: 'Fix title.',
        does: [[writes('src/text.js', 'export function title(text) {\n  return text.trim()\n}\n')]],
      },
      { task: 'Still red.', does: [[writes('src/text.js', fixed)]] },
    ],
  },
  {
    what: 'work undone again',
    language,
    word: 'held',
    git: true,
    files: { ...files, 'src/text.js': fixed },
    turns: [
      { task: 'Count words.', does: [[writes('src/words.js', words)]] },
      {
        task: 'Never mind, take it out. Say in a README that we do not count.',
        does: [[bash('rm src/words.js'), writes('README.md', 'We do not count.\n')]],
      },
    ],
  },
]
