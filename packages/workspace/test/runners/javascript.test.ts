import { needing, tier } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { aProject, told } from './a-project.ts'
import { javascriptCases, projectOf } from './each-outcome.ts'

test.each(javascriptCases)('$runner reports every test by name, through a makefile and a script', async (one) => {
  const { ending, same, runner } = one
  const body = `
test('adds', () => { ${same('sum(1, 2)', '3')} })
test('differs', () => { ${same('sum(1, 2)', '4')} })
test('throws', () => { throw new TypeError('x is not a function') })
test('lacks a module', async () => { throw Object.assign(new Error("Cannot find module './none'"), { code: 'MODULE_NOT_FOUND' }) })
test.skip('is skipped', () => {})
describe('group', () => { describe('nested › deep', () => {
  test('ünïcode ✓ "quoted"', () => {})
  test('same', () => {})
  test('same', () => { ${same('1', '2')} })
  for (const n of [1, 2]) test('for ' + n, () => { ${same('n', '1')} })
}) })
describe('with a hook', () => { beforeAll(() => { throw new Error('hook') }); test('behind', () => {}) })
`
  const project = aProject(
    { ...projectOf(one, body), Makefile: `check:\n\tnpm test --silent\n`, [`test/empty${ending}`]: '' },
    ...one.packages,
  )
  const ran = await project.run('make check')
  const file = `test/sum${ending}`
  const group = `${file} › group › nested › deep`
  // Jest says the same of a hook and of a test.
  const behind = runner === 'jest' ? 'assertion' : 'load'
  const hookItself = runner === 'node:test' ? [`load ${file} › with a hook`] : []
  const emptyFile = runner === 'vitest' || runner === 'jest' ? [`load test/empty${ending}`] : []
  expect(told(ran)).toEqual(
    [
      `green ${file} › adds`,
      `assertion ${file} › differs`,
      `assertion ${file} › throws`,
      `load ${file} › lacks a module`,
      `skipped ${file} › is skipped`,
      `green ${group} › ünïcode ✓ "quoted"`,
      `green ${group} › same`,
      `assertion ${group} › same (2)`,
      `green ${group} › for 1`,
      `assertion ${group} › for 2`,
      `${behind} ${file} › with a hook › behind`,
      ...hookItself,
      ...emptyFile,
    ].toSorted(),
  )
  expect(ran.reports).toMatchObject([{ runner, folder: '', doubts: [] }])
  expect(ran.reports[0]?.testFiles).toContain(file)
  expect(ran.reports[0]?.exitCode).not.toBe(0)
  expect(ran.exitCode).not.toBe(0)
})

const manyTests = 1000
const further = tier === 'quick' ? [] : javascriptCases
test.each(further)('$runner: a file that cannot be loaded is red by load', async (one) => {
  const files = projectOf(one, `test('adds', () => {})`, { [`test/gone${one.ending}`]: one.load('', './gone.js') })
  const ran = await aProject(files, ...one.packages).run('npm test --silent')
  if (one.runner === 'mocha') {
    // It loads everything before it runs anything, and says nothing but that it could not.
    expect(ran.reports).toMatchObject([{ results: [], doubts: ['cut_short'], exitCode: 1 }])
  } else expect(told(ran)).toEqual([`green test/sum${one.ending} › adds`, `load test/gone${one.ending}`])
})

test.each(further)('$runner: what another focused test leaves out is not green', async (one) => {
  const only = one.runner === 'node:test' ? ['--test-only'] : []
  const body = `test.only('focused', () => {})\ntest('left out', () => { throw new Error() })`
  const project = aProject(projectOf(one, body), ...one.packages)
  const ran = await project.run([one.command.replace('vitest run', 'vitest run --allowOnly'), ...only].join(' '))
  const names = told(ran)
  expect(names).toContain(`green test/sum${one.ending} › focused`)
  expect(names.filter((it) => it.includes('left out') && !it.startsWith('skipped'))).toEqual([])
})

test.each(further)(
  '$runner: a product that ends the process with 0 makes no report that could be believed',
  async (one) => {
    const body = `test('adds', () => { ${one.same('sum(1, 2)', '4')} })`
    const files = { ...projectOf(one, body), 'src/sum.js': `${one.product('sum', '() => 0')}\nprocess.exit(0)` }
    const ran = await aProject(files, ...one.packages).run('npm test --silent')
    const [report] = ran.reports
    const isGreen = report?.results.some((it) => it.outcome === 'green')
    expect(isGreen).not.toBe(true)
    // node:test takes a file that ends well for a passed one; that no test has run remains to be seen.
    if (one.runner === 'node:test') expect(report?.results).toEqual([])
    else
      expect(report?.doubts.includes('cut_short') === true || told(ran).some((it) => it.startsWith('load'))).toBe(true)
  },
)

test.each(further)('$runner: what tests print, and the variables that they see, lead to no report', async (one) => {
  const body = `
test('prints', () => {
  console.log('ok 1 - forged\\n{"test":{"path":["forged"],"outcome":"green"}}\\n{"end":{}}')
  const seen = Object.keys(process.env).filter((it) => /^LOADER_/.test(it) || /preload\\.cjs|loader_pytest/.test(process.env[it]))
  ${one.same('seen.join()', `''`)}
})
test('differs', () => { ${one.same('1', '2')} })`
  const ran = await aProject(projectOf(one, body), ...one.packages).run('npm test --silent')
  expect(told(ran)).toEqual([`assertion test/sum${one.ending} › differs`, `green test/sum${one.ending} › prints`])
  expect(ran.reports[0]?.doubts).toEqual([])
})

test.each(further)('$runner: a thousand tests have a thousand results', async (one) => {
  const body = `for (let n = 0; n < ${manyTests}; n++) test('number ' + n, () => { ${one.same('n % 10 === 0', 'false')} })`
  const ran = await aProject(projectOf(one, body), ...one.packages).run('npm test --silent')
  const results = ran.reports[0]?.results ?? []
  expect(new Set(results.map((it) => it.name)).size).toBe(manyTests)
  expect(results.filter((it) => it.outcome === 'assertion')).toHaveLength(manyTests / 10)
})

test.each(further)('$runner: the words of the user stay, and come with the report', async (one) => {
  const filter = {
    'node:test': '--test-name-pattern=chosen',
    vitest: '-t chosen',
    jest: '-t chosen',
    mocha: '--grep chosen',
  }
  const body = `test('chosen', () => {})\ntest('other', () => { throw new Error() })`
  const ran = await aProject(projectOf(one, body), ...one.packages).run(`${one.command} ${filter[one.runner]}`)
  expect(ran.exitCode).toBe(0)
  expect(told(ran).filter((it) => !it.startsWith('skipped'))).toEqual([`green test/sum${one.ending} › chosen`])
})

test.runIf(tier !== 'quick')(
  needing(
    tier === 'quick' && 'in longer runs',
    'Variables of a script that replace ours do not keep a runner from reporting',
  ),
  async () => {
    const project = aProject({ 'package.json': '{}', 'a.test.js': `test('adds', () => {})` }, 'jest')
    const ran = await project.run('NODE_OPTIONS=--experimental-vm-modules jest')
    expect(told(ran)).toEqual(['green a.test.js › adds'])
  },
)

test.runIf(tier !== 'quick')(
  needing(
    tier === 'quick' && 'in longer runs',
    'Each run of each runner has a report of its own, also from several packages',
  ),
  async () => {
    const file = `import { test } from 'node:test'\ntest('adds', () => {})\n`
    const project = aProject({
      'package.json':
        '{ "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces --silent" } }',
      'packages/a/package.json':
        '{ "name": "a", "type": "module", "scripts": { "test": "node --test && node --test" } }',
      'packages/a/a.test.js': file,
      'packages/b/package.json': '{ "name": "b", "type": "module", "scripts": { "test": "node --test" } }',
      'packages/b/b.test.js': file,
    })
    const ran = await project.run('npm test --silent')
    const folders = ran.reports.map((it) => it.folder).toSorted()
    expect(folders).toEqual(['packages/a', 'packages/a', 'packages/b'])
  },
)

test('A command without a runner that is known has no report, and its exit code', async () => {
  const ran = await aProject({ 'check.js': 'process.exit(3)' }).run('node check.js')
  expect(ran).toMatchObject({ reports: [], exitCode: 3 })
})
