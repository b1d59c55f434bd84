import { expect, test } from 'vitest'
import { type RunnerReport } from '../../src/index.ts'
import { expectedRunners } from '../../src/runners/expected-runners.ts'
import { readReport } from '../../src/runners/read-reports.ts'
import { runnerSettings } from '../../src/runners/runner-settings.ts'
import type { Files } from './a-project.ts'

const project = (files: Files) => ({ paths: Object.keys(files), text: async (path: string) => files[path] })
const scripts = (all: Files) => JSON.stringify({ scripts: all })

type Case = readonly [command: string, files: Files, expected: readonly string[], unknown?: readonly string[]]
const cases: readonly Case[] = [
  ['vitest run', {}, ['vitest']],
  ['npm test', { 'package.json': scripts({ pretest: 'tsc', test: 'NODE_ENV=test npx jest --ci' }) }, ['tsc', 'jest']],
  [
    'pnpm check',
    { 'package.json': scripts({ check: 'pnpm lint && pnpm test', lint: 'eslint .', test: 'cross-env A=1 mocha' }) },
    ['eslint', 'mocha'],
  ],
  [
    'make',
    { Makefile: '.PHONY: all\nall: lint\n\t@cargo test\nlint:\n\t-python3 -m pytest -q\n' },
    ['pytest', 'cargo test'],
  ],
  ['make -s test', { Makefile: 'test:\n\t$(MAKE) unit\nunit:\n\tgo test ./...\n' }, ['go test']],
  [
    'pnpm -r test',
    { 'a/package.json': scripts({ test: 'vitest' }), 'b/package.json': scripts({ test: 'node --test' }) },
    ['vitest in a', 'node:test in b'],
  ],
  ['turbo run test', { 'a/package.json': scripts({ test: 'vitest' }) }, ['vitest in a']],
  ['cd web && npm t', { 'web/package.json': scripts({ test: 'jest' }) }, ['jest in web']],
  ['uv run pytest tests/test_a.py', {}, ['pytest']],
  ['poetry run python -m unittest', {}, ['unittest']],
  ['./check.sh', { 'check.sh': 'vitest' }, ['vitest'], ['./check.sh']],
  ['npm test', { 'package.json': scripts({ test: 'npm test' }) }, [], ['npm test']],
  ['npm run constructor', { 'package.json': scripts({}) }, [], ['npm run constructor']],
  [`node app.js | grep 'a && b'`, {}, [], ['node app.js', 'grep a && b']],
]
test.for(cases)('A command is read as far as its words tell: %s', async ([command, files, expected, unknown = []]) => {
  const read = await expectedRunners(command, '', project(files))
  expect(read.runners.map((it) => (it.folder === '' ? it.runner : `${it.runner} in ${it.folder}`))).toEqual(expected)
  expect(read.unknown).toEqual(unknown)
})

test('Files that a command names come with the manifests that it goes through', async () => {
  const files = { 'package.json': scripts({ test: 'node scripts/check.js' }), 'scripts/check.js': '' }
  expect(await expectedRunners('npm test', '', project(files))).toMatchObject({
    files: ['package.json', 'scripts/check.js'],
  })
})

type Named = readonly [command: string, files: Files, named: readonly string[]]
test.for<Named>([
  ['node --import=./boot.js --env-file=a.env --test', { 'boot.js': '', 'a.env': '' }, ['boot.js', 'a.env']],
  ['SETUP=lib/setup.js npx mocha', { 'lib/setup.js': '' }, ['lib/setup.js']],
  [
    'sh all.sh',
    { 'all.sh': 'set -e\ncd deep\nnode each.js\n', 'deep/each.js': '', 'each.js': '' },
    ['all.sh', 'deep/each.js'],
  ],
  ['./all', { all: '#!/usr/bin/env node\nimport "./each.js"\n', 'each.js': '' }, ['all']],
  [
    'make test',
    { Makefile: 'include more.mk\ntest:\n\tnode a.js\n', 'more.mk': 'A := 1\n', 'a.js': '' },
    ['Makefile', 'more.mk', 'a.js'],
  ],
  ['npm test', { 'package.json': scripts({ test: 'node --test' }), test: '', node: '', npm: '' }, ['package.json']],
])('Files that %s leads to are named, and words that only look like files are not', async ([command, files, named]) => {
  expect((await expectedRunners(command, '', project(files))).files).toEqual(named)
})

test('A module that pytest loads as a plugin is a setting wherever it lies', async () => {
  const files = {
    'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q -p calc.reports"\n',
    'tests/conftest.py': 'pytest_plugins = ["calc.support", "elsewhere"]\n',
    'calc/support.py': '',
    'calc/reports.py': '',
    'calc/core.py': '',
  }
  const report: RunnerReport = { ...plain, runner: 'pytest', testFiles: ['tests/test_a.py'] }
  expect(await runnerSettings(report, project(files))).toMatchObject({
    plugins: ['calc/reports.py', 'calc/support.py'],
  })
})

const plain: RunnerReport = {
  runner: 'vitest',
  folder: '',
  arguments: [],
  results: [],
  testFiles: [],
  settings: [],
  patterns: [],
  exitCode: 0,
  doubts: [],
}
test('Settings come with all that they extend, import or name', async () => {
  const files = {
    'packages/a/tsconfig.ci.json':
      '{ "extends": ["../../base.json", "@tsconfig/node20"], "references": [{ "path": "../b" }] }',
    'packages/b/tsconfig.json': '{}',
    'base.json': '{ /* all */ "extends": "./strict.json", }',
    'strict.json': '{}',
    'packages/a/tsconfig.json': '{}',
  }
  const report: RunnerReport = { ...plain, runner: 'tsc', folder: 'packages/a', arguments: ['-p', 'tsconfig.ci.json'] }
  expect(await runnerSettings(report, project(files))).toEqual({
    paths: [
      'base.json',
      'packages/a/tsconfig.ci.json',
      'packages/a/tsconfig.json',
      'packages/b/tsconfig.json',
      'strict.json',
    ],
    plugins: [],
    unread: ['@tsconfig/node20'],
  })
})

test('Settings are those of the runner, not what a folder is called', async () => {
  const files = {
    '.mocharc.yml': 'require:\n  - ./hooks.js\nspec: test\n',
    '.mocharc.json': '{ "require": ["./setup.js", "chai/register-expect"] }',
    'setup.js': `const a = require('./more')`,
    'more.js': '',
    'config/app.js': '',
    'vitest.config.ts': '',
  }
  const found = await runnerSettings({ ...plain, runner: 'mocha' }, project(files))
  expect(found).toEqual({
    paths: ['.mocharc.json', '.mocharc.yml', 'more.js', 'setup.js'],
    plugins: [],
    unread: ['./hooks.js', 'chai/register-expect'],
  })
})

const start = '{"start":{"runner":"mocha","cwd":"/p","arguments":[]}}'
const green = '{"test":{"path":["a"],"file":"/p/a.js","outcome":"green"}}'
test.each([
  ['a whole report', [start, green, '{"end":{}}', '{"exit":0}'], []],
  ['one without an end', [start, green, '{"exit":0}'], ['cut_short']],
  ['all green and exit 1', [start, green, '{"end":{}}', '{"exit":1}'], ['exit_code']],
  ['red and exit 0', [start, green.replace('green', 'assertion'), '{"end":{}}', '{"exit":0}'], ['exit_code']],
  ['a line that is torn', [start, green, '{"end":{}}', '{"exit":0}', '{"te'], ['foreign_lines']],
  ['a second exit', [start, green, '{"end":{}}', '{"exit":0}', '{"exit":0}'], ['foreign_lines']],
  ['a second end', [start, '{"end":{}}', green, '{"end":{}}', '{"exit":0}'], ['foreign_lines']],
])('A report is doubted for what does not fit: %s', (_title, lines, doubts) => {
  expect(readReport(`${lines.join('\n')}\n`, '/p')?.doubts).toEqual(doubts)
})

test('What does not say whose report it is, is none', () => {
  expect(readReport(`${green}\n{"end":{}}\n`, '/p')).toBeUndefined()
  expect(readReport('', '/p')).toBeUndefined()
})
