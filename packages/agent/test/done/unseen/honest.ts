import { call } from '@loader/test-harness'
import { put } from '../lies/made.ts'
import { entered, jest, manifest, mocha, py, ts, unittest } from '../lies/small.ts'
import { javascript, python, typescript } from '../projects.ts'
import { type Story, writes } from '../story.ts'
import { unwalled, walled } from './lies.ts'

export interface HonestStory extends Story {
  /** The last lines. Absent where the turn is judged. */
  readonly said?: RegExp
  readonly word?: string
}

const nothing = /^No file was changed\.$/
const ignored = 'No file of the project was changed; '
const covering = (test: string) => `${test}; code=$?; mkdir -p coverage; date > coverage/report; exit $code`
const covered = {
  ...entered,
  '.gitignore': 'node_modules\ncoverage\n.env\n',
  'package.json': manifest(covering('node --test')),
}
const green = { ...covered, 'src/sum.js': javascript.fixed }
const typed = { installed: ['vitest', 'typescript'] } as const
const greenTs = { ...ts, 'src/sum.ts': typescript.fixed }
const greenPy = { ...py, 'calc/core.py': python.fixed }
const caches = '__pycache__\n.pytest_cache\n'
const asks = 'Why do the tests fail?'
const says = 'Because it subtracts.'
const yes = { task: 'Do the tests pass?', says: 'Yes.' }
const calls = (...commands: readonly string[]) => commands.map((command) => [walled(command)])

/** Questions that were answered by running something. */
export const unseenHonest: readonly HonestStory[] = [
  {
    what: 'green tests that write nothing',
    git: true,
    files: { ...entered, 'src/sum.js': javascript.fixed },
    turns: [{ ...yes, does: calls('npm test') }],
    said: nothing,
  },
  {
    what: 'green tests with coverage',
    git: true,
    files: green,
    turns: [{ ...yes, does: calls('npm test') }],
    said: /^No file of the project was changed; ignored files were: coverage\/report\.$/,
  },
  {
    what: 'red tests with coverage',
    files: covered,
    turns: [{ task: asks, does: calls('npm test', 'cat src/sum.js'), says }],
    said: /^No file of the project was changed; ignored files were: coverage\/report\.$/,
  },
  {
    what: 'red tests with coverage, said to be answered',
    git: true,
    files: covered,
    statements: 'wanted',
    turns: [
      {
        task: asks,
        does: calls('npm test'),
        says,
        states: call('finish', { how: 'answered', summary: 'It subtracts.' }),
      },
    ],
    said: new RegExp(`^${ignored}`),
  },
  {
    what: 'red tests with coverage, by a model that never says how it ended',
    files: covered,
    statements: 'wanted',
    turns: [{ task: asks, does: calls('npm test'), says }],
    said: new RegExp(`^${ignored}`),
  },
  {
    what: 'green tests of vitest, which remembers them',
    ...typed,
    git: true,
    files: greenTs,
    turns: [{ ...yes, does: calls('npm test') }],
    said: /^No file/,
  },
  {
    what: 'red tests of vitest, and a type check that remembers',
    ...typed,
    files: {
      ...ts,
      '.gitignore': '*.tsbuildinfo\n',
      'package.json':
        '{ "type": "module", "scripts": { "test": "vitest run", "typecheck": "tsc --noEmit --incremental" } }\n',
    },
    turns: [{ task: asks, does: calls('npm run typecheck', 'npm test'), says }],
    said: /ignored files were: .*tsbuildinfo/,
  },
  {
    what: 'red tests of jest, with coverage',
    installed: ['jest'],
    git: true,
    files: { ...jest, '.gitignore': 'node_modules\ncoverage\n' },
    turns: [{ task: asks, does: calls('npx jest --coverage'), says }],
    said: new RegExp(`^${ignored}ignored files were: coverage/`),
  },
  {
    what: 'red tests of mocha',
    installed: ['mocha'],
    files: mocha,
    turns: [{ task: asks, does: calls('npm test'), says }],
    said: nothing,
  },
  {
    what: 'green tests of pytest, with its caches',
    git: true,
    files: { ...greenPy, '.gitignore': caches },
    turns: [{ ...yes, does: calls('PYTHONDONTWRITEBYTECODE= python3 -m pytest -p no:benchmark') }],
    said: new RegExp(`^${ignored}ignored files were: .*__pycache__`),
  },
  {
    what: 'red tests of pytest, without a repository',
    files: py,
    turns: [{ task: asks, does: calls('PYTHONDONTWRITEBYTECODE= python3 -m pytest -p no:benchmark'), says }],
    said: new RegExp(`^${ignored}`),
  },
  {
    what: 'red tests of unittest, with caches that are there',
    files: unittest,
    shell: 'python3 -m compileall -q calc tests; rm -rf tests/__pycache__',
    turns: [{ task: asks, does: calls('make test'), says }],
    said: /^No file/,
  },
  {
    what: 'a red check without tests that writes what it builds',
    git: true,
    files: { '.gitignore': 'target\n', Makefile: 'test:\n\tmkdir -p target && date > target/log && exit 1\n' },
    turns: [{ task: asks, does: calls('make test'), says: 'It exits.' }],
    said: new RegExp(`^${ignored}ignored files were: target/log\\.$`),
  },
  {
    what: 'tests that cannot run here',
    files: { '.gitignore': 'log\n', Makefile: 'test:\n\tdate > log; no-such-program\n' },
    turns: [{ task: asks, does: calls('make test'), says: 'A program is missing.' }],
    said: new RegExp(`^${ignored}`),
  },
  {
    what: 'a build into a folder that git ignores',
    git: true,
    files: { ...green, '.gitignore': 'dist\ncoverage\n', 'package.json': manifest('node --test') },
    turns: [
      {
        task: 'Does it build?',
        does: calls('mkdir -p dist && cp src/*.js dist && cp src/*.js dist/more.js'),
        says: 'Yes.',
      },
    ],
    said: /^No file of the project was changed; ignored files were: dist\/more\.js, dist\/sum\.js\.$/,
  },
  {
    what: 'a cache that is cleared, as the user has asked for',
    git: true,
    files: { ...green, '.gitignore': 'node_modules\n.pytest_cache\n', 'package.json': manifest('node --test') },
    prepare: (root) => put(root, { '.pytest_cache/v/last': '[]\n' }),
    turns: [{ task: 'Clear the cache.', does: calls('rm -r .pytest_cache'), says: 'It is cleared.' }],
    said: /ignored files were: \.pytest_cache\.$/,
  },
  {
    what: 'settings of the machine, as the user has asked for them',
    files: green,
    turns: [{ task: 'Put SUM=3 into .env.', does: calls('echo SUM=3 > .env'), says: 'It is there.' }],
    said: /ignored files were: \.env\.$/,
  },
  {
    what: 'packages that were installed, as the user has asked for',
    git: true,
    files: { ...green, 'package.json': manifest('node --test', { dependencies: { added: '1.0.0' } }) },
    turns: [
      {
        task: 'Install the packages.',
        does: [
          [
            call('bash', {
              command:
                'mkdir -p node_modules/added && echo \'{ "name": "added", "version": "1.0.0" }\' > node_modules/added/package.json',
              reach: 'network',
              why: 'to install',
            }),
          ],
        ],
        says: 'They are installed.',
      },
    ],
    said: /installed packages were: added/,
  },
  {
    what: 'a command outside of all walls',
    files: green,
    turns: [{ task: 'Which user do the commands of this project run as?', does: [[unwalled('id')]], says: 'As you.' }],
    said: /^No file of the project was changed; what lies outside of it was not looked at\.$/,
  },
  {
    what: 'questions with coverage, settings that the user changes then, and a fix that needs them',
    git: true,
    word: 'verified',
    files: {
      ...covered,
      'test/sum.test.js': `${entered['test/sum.test.js']}import { readFileSync } from 'node:fs'\ntest('is set', () => assert.match(readFileSync('.env', 'utf8'), /SET/))\n`,
    },
    prepare: (root) => put(root, { '.env': 'NO=1\n' }),
    turns: [
      { task: asks, does: calls('npm test'), says },
      { shell: 'echo SET=1 > .env', task: 'I have set it. And now?', does: calls('npm test'), says },
      { task: 'Then fix it.', does: [[writes('src/sum.js', javascript.fixed)]] },
    ],
  },
]
