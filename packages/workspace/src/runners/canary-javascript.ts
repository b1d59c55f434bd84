import { posix } from 'node:path'
import { folderOf } from '../imports/project-files.ts'
import { type CanaryRequest, type CanaryText, slashed } from './canary-request.ts'

type JavaScriptRunner = 'node:test' | 'vitest' | 'jest' | 'mocha'

/** A failing test for each kind of expectation that is common; any other way to fail is an exception. */
const expectations = {
  'throws an error': `throw new Error('canary')`,
  rejects: `await Promise.reject(new Error('canary'))`,
  toBe: 'expect(1).toBe(2)',
  toEqual: 'expect({ a: 1 }).toEqual({ a: 2 })',
  toStrictEqual: 'expect([1]).toStrictEqual([2])',
  toMatchObject: 'expect({ a: 1 }).toMatchObject({ a: 2 })',
  toContain: 'expect([1]).toContain(2)',
  toHaveLength: 'expect([1]).toHaveLength(2)',
  toHaveProperty: `expect({}).toHaveProperty('a')`,
  toMatch: `expect('a').toMatch(/b/)`,
  toBeTruthy: 'expect(0).toBeTruthy()',
  toBeDefined: 'expect(undefined).toBeDefined()',
  toBeNull: 'expect(1).toBeNull()',
  toBeGreaterThan: 'expect(1).toBeGreaterThan(2)',
  toBeCloseTo: 'expect(1).toBeCloseTo(2)',
  toBeInstanceOf: 'expect({}).toBeInstanceOf(Map)',
  toThrow: 'expect(() => {}).toThrow()',
  'not toBe': 'expect(1).not.toBe(1)',
  resolves: 'await expect(Promise.resolve(1)).resolves.toBe(2)',
  'is rejected': 'await expect(Promise.resolve(1)).rejects.toThrow()',
}

const assertions = {
  'throws an error': `throw new Error('canary')`,
  rejects: `await Promise.reject(new Error('canary'))`,
  equal: `assert.equal(1, 2)`,
  strictEqual: `assert.strictEqual(1, 2)`,
  deepEqual: `assert.deepEqual([1], [2])`,
  deepStrictEqual: `assert.deepStrictEqual({ a: 1 }, { a: 2 })`,
  notStrictEqual: `assert.notStrictEqual(1, 1)`,
  ok: `assert.ok(false)`,
  assert: `assert(false)`,
  match: `assert.match('a', /b/)`,
  throws: `assert.throws(() => {})`,
  'is rejected': `await assert.rejects(async () => {})`,
  fail: `assert.fail('canary')`,
}

export async function javascriptCanary(runner: JavaScriptRunner, request: CanaryRequest): Promise<CanaryText | string> {
  const { report, project, modules, mark } = request
  const green = report.results.filter((it) => it.outcome !== 'load').map((it) => it.file)
  const neighbour = [request.instead, ...green, ...report.testFiles].find(
    (it) => it !== undefined && isScript(it) && project.paths.includes(it),
  )
  if (neighbour === undefined) return 'the run had no test file that shows where tests lie and how they are written'
  const text = (await project.text(neighbour)) ?? ''
  const loaded = modules.filter((it) => isScript(it) && !it.endsWith('.d.ts') && it !== neighbour)
  const name = neighbour.slice(neighbour.lastIndexOf('/') + 1)
  const isTaken = neighbour === request.instead
  const path = isTaken ? neighbour : `${slashed(folderOf(neighbour))}${mark}${endingOf(name)}`
  const style = styleOf(neighbour, text)
  const isExpecting = runner === 'vitest' || runner === 'jest'
  const ways: Readonly<Record<string, string>> = {
    ...(isExpecting ? expectations : assertions),
    ...chaiWays(runner, text),
  }
  const own = `${mark}_`
  const head = headOf(runner, { style, text, own })
  const before = request.isAmong === true ? [text] : []
  const loads = request.isAmong === true ? [] : loaded.map((it) => style.load(specifier(path, it, text, runner)))
  const lines = [
    ...before,
    ...head.lines,
    ...loads,
    `${own}describe('${mark}', () => {`,
    ...head.names.map((it) => `  const ${it} = ${own}${it}`),
    ...Object.entries(ways).map(([title, code]) => `  ${own}test('${mark} ${title}', async () => { ${code} })`),
    '})',
    '',
  ]
  return { path, text: lines.join('\n'), mark, ways: Object.keys(ways).map((it) => `${mark} ${it}`) }
}

function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path)
}

/** The ending by which runners recognise tests, such as `.test.ts`. For `index.js` and the like, just `.js`. */
function endingOf(name: string): string {
  return /(?:[._-](?:test|spec|tests|specs|e2e|unit|it))?\.[cm]?[jt]sx?$/.exec(name)?.[0] ?? '.js'
}

interface Style {
  readonly load: (specifier: string) => string
  /** Each under a name of our own: the file may have its own of this name. */
  readonly take: (names: readonly string[], own: string, module: string) => string
  readonly takeWhole: (name: string, module: string) => string
}

const modern: Style = {
  load: (it) => `import '${it}'`,
  take: (names, own, module) => `import { ${names.map((it) => `${it} as ${own}${it}`).join(', ')} } from '${module}'`,
  takeWhole: (name, module) => `import ${name} from '${module}'`,
}
const common: Style = {
  load: (it) => `require('${it}')`,
  take: (names, own, module) =>
    `const { ${names.map((it) => `${it}: ${own}${it}`).join(', ')} } = require('${module}')`,
  takeWhole: (name, module) => `const ${name} = require('${module}')`,
}

/** The style of the neighbouring test: the same runner must be able to load the canary. */
function styleOf(path: string, text: string): Style {
  if (/\.[cm]?tsx?$|\.mjs$/.test(path)) return modern
  if (path.endsWith('.cjs')) return common
  return /^\s*import[\s{*'"]/m.test(text) || !/\brequire\(/.test(text) ? modern : common
}

interface Head {
  readonly lines: readonly string[]
  /** What the tests need by its usual name, besides `describe` and `test`. */
  readonly names: readonly string[]
}

function headOf(
  runner: JavaScriptRunner,
  { style, text, own }: { readonly style: Style; readonly text: string; readonly own: string },
): Head {
  const given = (describe: string, test: string) => `const ${own}describe = ${describe}, ${own}test = ${test}`
  const assert = style.takeWhole(`${own}assert`, 'node:assert')
  switch (runner) {
    case 'vitest':
      return { lines: [style.take(['describe', 'expect', 'test'], own, 'vitest')], names: ['expect'] }
    case 'jest': {
      const names = ['describe', 'expect', 'test'].map((it) => `${it}: ${own}${it}`).join(', ')
      const places = "globalThis.describe === undefined ? require('@jest/globals') : globalThis"
      return { lines: [`const { ${names} } = ${places}`], names: ['expect'] }
    }
    case 'node:test':
      return { lines: [style.take(['describe', 'test'], own, 'node:test'), assert], names: ['assert'] }
    case 'mocha': {
      const isOldStyle = /\bsuite\(/.test(text) && !/\bdescribe\(/.test(text)
      const lines = [assert, isOldStyle ? given('suite', 'test') : given('describe', 'it')]
      if (chaiWays(runner, text) === undefined) return { lines, names: ['assert'] }
      return { lines: [...lines, style.take(['expect'], own, 'chai')], names: ['assert', 'expect'] }
    }
    default:
      return runner satisfies never
  }
}

function chaiWays(runner: JavaScriptRunner, text: string): Readonly<Record<string, string>> | undefined {
  if (runner !== 'mocha' || !/['"]chai['"]/.test(text)) return undefined
  return { 'chai equal': 'expect(1).to.equal(2)', 'chai ok': 'expect(false).to.be.ok' }
}

/** With the ending that the neighbour uses: runners differ in which of `./a`, `./a.js` and `./a.ts` they accept. */
function specifier(from: string, to: string, text: string, runner: JavaScriptRunner): string {
  const relative = posix.relative(folderOf(from), to)
  const path = relative.startsWith('.') ? relative : `./${relative}`
  if (!/\.tsx?$/.test(path) || runner === 'vitest') return path
  const written = /from\s*['"]\.{1,2}\/[^'"]*?(\.[cm]?[jt]sx?)?['"]/.exec(text)
  if (written === null || written[1] === '.ts' || written[1] === '.tsx') return path
  return written[1] === undefined ? path.replace(/\.tsx?$/, '') : path.replace(/\.tsx?$/, '.js')
}
