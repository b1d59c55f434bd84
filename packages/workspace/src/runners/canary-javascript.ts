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
  const tests = Object.entries(ways).map(
    ([title, code]) => `  ${test(runner, text)}('${mark} ${title}', async () => { ${code} })`,
  )
  const lines = [
    ...headOf(runner, style, text),
    ...loaded.map((it) => style.load(specifier(path, it, text, runner))),
    `${test(runner, text) === 'test' && runner === 'mocha' ? 'suite' : 'describe'}('${mark}', () => {`,
    ...tests,
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
  readonly take: (names: string, module: string) => string
}

const modern: Style = {
  load: (it) => `import '${it}'`,
  take: (names, module) => `import ${names} from '${module}'`,
}
const common: Style = {
  load: (it) => `require('${it}')`,
  take: (names, module) => `const ${names} = require('${module}')`,
}

/** The style of the neighbouring test: the same runner must be able to load the canary. */
function styleOf(path: string, text: string): Style {
  if (/\.[cm]?tsx?$|\.mjs$/.test(path)) return modern
  if (path.endsWith('.cjs')) return common
  return /^\s*import[\s{*'"]/m.test(text) || !/\brequire\(/.test(text) ? modern : common
}

function headOf(runner: JavaScriptRunner, style: Style, text: string): readonly string[] {
  const chai = chaiWays(runner, text) === undefined ? [] : [style.take('{ expect }', 'chai')]
  switch (runner) {
    case 'vitest':
      return [style.take('{ describe, expect, test }', 'vitest')]
    case 'jest':
      return []
    case 'node:test':
      return [style.take('{ describe, test }', 'node:test'), style.take('assert', 'node:assert')]
    case 'mocha':
      return [style.take('assert', 'node:assert'), ...chai]
    default:
      return runner satisfies never
  }
}

function test(runner: JavaScriptRunner, text: string): string {
  if (runner !== 'mocha') return 'test'
  return /\bsuite\(/.test(text) && !/\bdescribe\(/.test(text) ? 'test' : 'it'
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
