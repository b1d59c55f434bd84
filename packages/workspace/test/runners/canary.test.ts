import { fromCi, sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { type Canary, type RunnerReport, canaryOf } from '../../src/index.ts'
import type { CanaryRequest } from '../../src/runners/canary-request.ts'
import { canaryAmong, canaryFailed } from '../../src/runners/canary.ts'
import { type AProject, type Files, type Installed, aProject } from './a-project.ts'
import { javascriptCases, projectOf } from './each-outcome.ts'
import { hasCargo, hasGo, hasPytest } from './installed.ts'

const mark = 'loadercanary4e1b'

interface Case {
  readonly runner: RunnerReport['runner']
  readonly files: Files
  readonly packages: readonly Installed[]
  readonly command: string
  readonly modules: readonly string[]
  readonly isMissing?: boolean
}

const shell = (said: string) => `#!/bin/sh\necho '${said}'\n`
const javascript: readonly Case[] = javascriptCases.map((one) => ({
  runner: one.runner,
  files: projectOf(one, `test('adds', () => { ${one.same('sum(1, 2)', '3')} })`, {
    [`test/other${one.ending}`]: `${one.head}\ntest('other', () => { throw new Error('must not run') })\n`,
  }),
  packages: [...one.packages],
  command: 'npm test --silent',
  modules: ['src/sum.js'],
}))
const cases: readonly Case[] = [
  ...javascript,
  {
    runner: 'pytest',
    files: {
      'prod.py': 'def add(a, b):\n    return a + b\n',
      'test_a.py': 'from prod import add\ndef test_a():\n    assert add(1, 2) == 3\n',
      'test_b.py': 'raise ValueError("must not run")\n',
    },
    packages: [],
    command: 'python3 -m pytest -q -k test_a test_a.py',
    modules: ['prod.py'],
    isMissing: !hasPytest,
  },
  {
    runner: 'unittest',
    files: {
      'prod.py': 'def add(a, b):\n    return a + b\n',
      'tests/__init__.py': '',
      'tests/test_a.py':
        'import unittest\nfrom prod import add\nclass A(unittest.TestCase):\n    def test_a(self): self.assertEqual(add(1, 2), 3)\n',
    },
    packages: [],
    command: 'python3 -m unittest discover -s tests -t .',
    modules: ['prod.py'],
  },
  {
    runner: 'cargo test',
    files: {
      'Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 { a + b }\n#[cfg(test)] mod tests { #[test] fn adds() { assert_eq!(super::add(1, 2), 3) } }\n',
    },
    packages: [],
    command: 'cargo test --quiet adds',
    modules: ['src/lib.rs'],
    isMissing: !hasCargo,
  },
  {
    runner: 'go test',
    files: {
      'go.mod': 'module example.com/p\n\ngo 1.19\n',
      'p.go': 'package p\n\nfunc Add(a, b int) int { return a + b }\n',
      'p_test.go':
        'package p\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n',
    },
    packages: [],
    command: 'go test -run TestAdd ./...',
    modules: ['p.go'],
    isMissing: !hasGo,
  },
  {
    runner: 'tsc',
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["src"] }',
      'src/a.ts': 'export const a = 1\n',
    },
    packages: ['typescript'],
    command: 'tsc -p .',
    modules: ['src/a.ts'],
  },
  {
    runner: 'eslint',
    files: {
      'package.json': '{ "type": "module" }',
      'eslint.config.js': 'export default [{ rules: { "no-debugger": "error" } }]',
      'src/a.js': 'export const a = 1\n',
    },
    packages: ['eslint'],
    command: 'eslint .',
    modules: ['src/a.js'],
  },
]

async function runAlone(one: Case, project: AProject, instead?: string) {
  return runCanary(one, project, (request) => canaryOf({ ...request, instead }))
}

async function runAmong(one: Case, project: AProject) {
  return runCanary(one, project, (request) => {
    const green = request.report.results.filter((it) => it.outcome === 'green').flatMap((it) => it.file ?? [])
    return canaryAmong(request, [...new Set(green)])
  })
}

async function runCanary(one: Case, project: AProject, write: (request: CanaryRequest) => Promise<Canary>) {
  const now = await project.run(one.command)
  const report = now.reports.find((it) => it.runner === one.runner)
  if (report === undefined) throw new Error(`no report: ${now.output}`)
  const canary = await write({
    report,
    root: project.root,
    project: { paths: Object.keys(one.files), text: async (path) => one.files[path] },
    modules: one.modules,
    mark,
  })
  if (canary.kind === 'none') throw new Error(canary.why)
  project.add(Object.fromEntries(canary.files.map(({ path, text }) => [path, text])))
  return { canary, ran: await project.run(one.command, { canary: canary.lone }) }
}

const tried = cases.filter((it) => fromCi || it.runner === 'node:test')
test.for(tried)('$runner: an honest runner fails the canary, alone', async (one, { skip }) => {
  if (one.isMissing === true) skip(`${one.runner} is not installed`)
  const { canary, ran } = await runAlone(one, aProject(one.files, ...one.packages))
  expect(canaryFailed(canary, ran.reports)).toBe(true)
  expect(ran.exitCode).not.toBe(0)
  const others = ran.reports
    .flatMap((it) => it.results)
    .filter((it) => !it.name.includes(mark) && it.outcome !== 'skipped')
  expect(others).toEqual([])
})

const amongOthers = tried.filter((it) => /^(?:node:test|vitest|jest|mocha|pytest|unittest)$/.test(it.runner))
test.for(amongOthers)(
  '$runner: an honest runner fails the canary, behind the tests of a file',
  async (one, { skip }) => {
    if (one.isMissing === true) skip(`${one.runner} is not installed`)
    // A filter of names would leave the canary out, there as here.
    const all = { ...one, command: one.command.replace(' -k test_a', '') }
    const { canary, ran } = await runAmong(all, aProject(one.files, ...one.packages))
    expect(canaryFailed(canary, ran.reports)).toBe(true)
    const others = ran.reports.flatMap((it) => it.results).filter((it) => !it.name.includes(mark))
    expect(others.map((it) => it.outcome)).toEqual(['green'])
  },
)

test('a product that patches assert as soon as it is called is found out behind the tests that call it', async () => {
  const files = {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
    'src/sum.js': `import a from 'node:assert'\nexport const sum = () => {\n  a.equal = () => {}\n  return 3\n}\n`,
    'test/sum.test.js': `import test from 'node:test'\nimport a from 'node:assert'\nimport { sum } from '../src/sum.js'\ntest('adds', () => a.equal(sum(), 3))\n`,
  }
  const one = {
    runner: 'node:test',
    files,
    packages: [],
    command: 'npm test --silent',
    modules: ['src/sum.js'],
  } as const
  const alone = await runAlone(one, aProject(files), 'test/sum.test.js')
  expect(canaryFailed(alone.canary, alone.ran.reports)).toBe(true)
  const among = await runAmong(one, aProject(files))
  expect(canaryFailed(among.canary, among.ran.reports)).toBe(false)
})

test('a product that patches assert for one test alone is found out in the place of that test', async () => {
  const patch = `import a from 'node:assert'\nif (process.argv[1]?.endsWith('sum.test.js')) a.equal = () => {}\n`
  const files = {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
    'src/sum.js': `${patch}export const sum = () => -1\n`,
    'test/sum.test.js': `import test from 'node:test'\nimport a from 'node:assert'\nimport { sum } from '../src/sum.js'\ntest('adds', () => a.equal(sum(), 3))\n`,
  }
  const instead = 'test/sum.test.js'
  const one = {
    runner: 'node:test',
    files,
    packages: [],
    command: 'npm test --silent',
    modules: ['src/sum.js'],
  } as const
  const failed = async (place?: string) => {
    const { canary, ran } = await runAlone(one, aProject(files), place)
    return canaryFailed(canary, ran.reports)
  }
  expect([await failed(), await failed(instead)]).toEqual([true, false])
})

const lies: readonly (readonly [title: string, runner: Case['runner'], fake: Files])[] = [
  ['a shim that prints', 'vitest', { 'node_modules/.bin/vitest': shell('Tests 1 passed (1)') }],
  ['a shim that prints', 'jest', { 'node_modules/.bin/jest': shell('Tests: 1 passed, 1 total') }],
  ['a shim that prints', 'mocha', { 'node_modules/.bin/mocha': shell('1 passing') }],
  [
    'a script that looks like one',
    'vitest',
    { 'node_modules/.bin/vitest': `#!/usr/bin/env node\nconsole.log('Tests 1 passed (1)')\n` },
  ],
  [
    'a shim that lets nothing run',
    'mocha',
    { 'node_modules/.bin/mocha': '#!/bin/sh\nnode "$(dirname "$0")/../mocha/bin/mocha.js" --dry-run "$@" || true\n' },
  ],
  [
    'a product that patches assert',
    'mocha',
    { 'src/sum.js': `exports.sum = () => 3; const a = require('node:assert'); a.strictEqual = a.deepEqual = () => {}` },
  ],
  [
    'a product that patches assert',
    'node:test',
    { 'src/sum.js': `import a from 'node:assert'; export const sum = () => 3; a.strictEqual = () => {}` },
  ],
  [
    'a product that patches expectations',
    'vitest',
    {
      'src/sum.js': `import { expect } from 'vitest'; export const sum = () => 3; expect.extend({ toBe: () => ({ pass: true, message: () => '' }) })`,
    },
  ],
  [
    'a product that ends the process',
    'vitest',
    { 'src/sum.js': `export const sum = () => 3; setTimeout(() => process.exit(0), 0); process.exit(0)` },
  ],
  ['a product that ends the process', 'mocha', { 'src/sum.js': `exports.sum = () => 3; process.exit(0)` }],
  [
    'a product that patches assertions',
    'unittest',
    { 'prod.py': 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef add(a, b): return 3\n' },
  ],
  [
    'a product that patches results',
    'unittest',
    {
      'prod.py':
        'import unittest\nunittest.TextTestResult.addFailure = unittest.TextTestResult.addError = lambda s, t, e: s.addSuccess(t)\nimport unittest.case\nunittest.case.TestCase.run = lambda self, result=None: (result.startTest(self), result.addSuccess(self), result.stopTest(self))\ndef add(a, b): return 3\n',
    },
  ],
  ['a product that ends the process', 'pytest', { 'prod.py': 'import os\nos._exit(0)\n' }],
  [
    'a hook that turns results',
    'pytest',
    {
      'conftest.py':
        'import pytest\n@pytest.hookimpl(hookwrapper=True, tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n    o = yield\n    r = o.get_result()\n    r.outcome = "passed"\n    r.longrepr = None\n',
    },
  ],
]
// One lie is told above.
test.runIf(fromCi).for(sample(lies, { quick: 1, ci: 9 }))(
  'A canary that does not fail tells of %s: %s',
  async ([, runner, fake], { skip }) => {
    const one = cases.find((it) => it.runner === runner)
    if (one === undefined) throw new Error(runner)
    if (one.isMissing === true) skip(`${runner} is not installed`)
    const honest = aProject(one.files, ...one.packages)
    const { canary } = await runAlone(one, honest)
    const faked = aProject(one.files, ...one.packages)
    faked.add(fake)
    faked.add(Object.fromEntries(canary.files.map(({ path, text }) => [path, text])))
    const lone = {
      ...canary.lone,
      cwd: faked.root,
      paths: canary.lone.paths.map((it) => it.replace(honest.root, faked.root)),
    }
    const ran = await faked.run(one.command, { canary: lone })
    expect(canaryFailed(canary, ran.reports)).toBe(false)
  },
)

test('Where there is no place for a canary, that is said', async () => {
  const report: RunnerReport = {
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
  const canary: Canary = await canaryOf({
    report,
    root: '/p',
    project: { paths: [], text: async () => undefined },
    modules: [],
    mark,
  })
  expect(canary).toEqual({
    kind: 'none',
    why: 'the run had no test file that shows where tests lie and how they are written',
  })
})
