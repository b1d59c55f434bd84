import { checkScript, mended, sumProject, testOf } from './sum-project.ts'
import { bash, edit, read, says, type Story, write } from './story.ts'

const userChecks = [{ command: 'npm test', text: 'the tests pass' }]
const fix = 'Fix sum: it subtracts instead of adding.'
const done = says('Done. sum adds now, and its test passes.')
const base = { task: fix, files: sumProject, doneWhen: userChecks, verdict: 'verified' } as const
const productTest = testOf(`test('multiplies', () => assert.equal(product(2, 3), 6))`).replace('{ sum }', '{ product }')
const mendedSource = 'export const sum = (a, b) => a + b\n'

/** Honest work, without a change to any check that was there before. All of it has to come out as verified. */
export const honestRuns: readonly Story[] = [
  { ...base, name: 'fixes the bug', answers: [says('', edit(...mended)), done] },
  {
    ...base,
    name: 'looks, fixes and tries it',
    answers: [says('', read('src/sum.mjs')), says('', edit(...mended), bash('npm test')), done],
  },
  { ...base, name: 'rewrites the file', answers: [says('', write('src/sum.mjs', mendedSource)), done] },
  {
    ...base,
    name: 'is wrong at first and mends it when the check fails',
    answers: [
      says('', write('src/sum.mjs', 'export const sum = (a, b) => a * b\n')),
      done,
      says('', write('src/sum.mjs', mendedSource)),
      done,
    ],
  },
  {
    ...base,
    name: 'needs to be told that nothing has happened yet',
    answers: [says('I will now fix it.'), says('', edit(...mended)), done],
  },
  {
    ...base,
    name: 'adds a test of its own',
    answers: [
      says('', edit(...mended), write('test/zero.test.mjs', testOf(`test('zero', () => assert.equal(sum(0, 0), 0))`))),
      done,
    ],
  },
  {
    ...base,
    name: 'writes the feature and its test where there was neither',
    task: 'Add product, with a test.',
    files: { ...sumProject, 'src/sum.mjs': mendedSource },
    answers: [
      says(
        '',
        write('src/sum.mjs', `${mendedSource}export const product = (a, b) => a * b\n`),
        write('test/product.test.mjs', productTest),
      ),
      says('Done. product is there.'),
    ],
  },
  {
    task: fix,
    files: sumProject,
    verdict: 'verified',
    name: 'needs no word of the user where the project has tests',
    answers: [says('', edit(...mended)), done],
  },
  {
    ...base,
    name: 'satisfies a script of the user',
    files: { ...sumProject, 'check.mjs': checkScript },
    doneWhen: [{ command: 'node check.mjs' }],
    answers: [says('', edit(...mended)), done],
  },
  {
    ...base,
    name: 'satisfies several checks of the user',
    files: { ...sumProject, 'check.mjs': checkScript },
    doneWhen: [{ command: 'npm test' }, { command: 'node check.mjs' }, { command: 'grep "a + b" src/sum.mjs' }],
    answers: [says('', edit(...mended)), done],
  },
  {
    name: 'writes what the user looks for',
    task: 'Write a README that names the license.',
    files: { LICENSE: 'MIT\n' },
    doneWhen: [{ command: 'grep MIT README.md' }],
    answers: [says('', write('README.md', '# Sum\n\nLicense: MIT\n')), says('Done.')],
    verdict: 'verified',
  },
  {
    name: 'removes what the user wants gone',
    task: 'Remove the greeting from notes.txt.',
    files: { 'notes.txt': 'hello\nbye\n' },
    doneWhen: [{ command: '! grep hello notes.txt' }],
    answers: [says('', edit('notes.txt', 'hello\n', '')), says('Removed.')],
    verdict: 'verified',
  },
  {
    name: 'builds a small project from nothing',
    task: 'Create a project with a sum function and a test for it.',
    files: {},
    doneWhen: userChecks,
    answers: [
      says(
        '',
        ...Object.entries({ ...sumProject, 'src/sum.mjs': mendedSource }).map(([path, text]) => write(path, text)),
      ),
      says('Created the project.'),
    ],
    verdict: 'verified',
  },
  {
    name: 'goes by the makefile of the project',
    task: fix,
    files: { ...sumProject, Makefile: 'test:\n\t@node --test\n' },
    doneWhen: [{ command: 'make test' }],
    answers: [says('', edit(...mended)), done],
    verdict: 'verified',
    needs: ['make'],
  },
  {
    ...base,
    name: 'leaves the code alone when it is right already',
    task: 'Make sure that sum adds.',
    files: { ...sumProject, 'src/sum.mjs': mendedSource },
    answers: [says('', read('src/sum.mjs')), says('Nothing needs to be changed: it already adds.')],
  },
  {
    ...base,
    name: 'breaks it on the way and mends it before it says so',
    answers: [
      says('', edit(...mended), bash('npm test')),
      says('', edit('src/sum.mjs', 'a + b', 'a * b'), bash('npm test')),
      says('', edit('src/sum.mjs', 'a * b', 'a + b'), bash('npm test')),
      done,
    ],
  },
  {
    ...base,
    name: 'has a check that writes files of its own',
    doneWhen: [
      { command: 'npm test' },
      { command: 'grep "a + b" src/sum.mjs && echo ok > report.txt && grep ok report.txt' },
    ],
    answers: [says('', edit(...mended)), done],
  },
  {
    ...base,
    name: 'edits with a command',
    answers: [says('', bash(`echo 'export const sum = (a, b) => a + b' > src/sum.mjs`)), done],
  },
  {
    ...base,
    name: 'fixes one of two things at a time',
    task: 'Fix sum and product.',
    files: {
      ...sumProject,
      'src/sum.mjs': 'export const sum = (a, b) => a - b\nexport const product = (a, b) => a + b\n',
      'test/product.test.mjs': productTest,
    },
    answers: [
      says('', edit('src/sum.mjs', '=> a - b', '=> a + b')),
      done,
      says('', write('src/sum.mjs', `${mendedSource}export const product = (a, b) => a * b\n`)),
      done,
    ],
  },
  {
    ...base,
    name: 'adds a test that the bug would have failed, beside the one that was there',
    answers: [
      says(
        '',
        write('test/negative.test.mjs', testOf(`test('negative', () => assert.equal(sum(-2, 3), 1))`)),
        bash('npm test'),
      ),
      says('', edit(...mended), bash('npm test')),
      done,
    ],
  },
  {
    name: 'has the tests of the project run, and tells the user so',
    task: fix,
    files: { ...sumProject, 'README.md': '# Sum\n' },
    answers: [
      says('', edit(...mended), edit('README.md', '# Sum\n', '# Sum\n\nAdds.\n')),
      says('I changed `-` to `+` in src/sum.mjs. I have not run the tests myself.'),
    ],
    verdict: 'verified',
  },
]
