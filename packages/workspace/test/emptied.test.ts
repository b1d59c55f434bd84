import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { emptied } from '../src/index.ts'

const cases: readonly (readonly [
  title: string,
  path: string,
  before: string | undefined,
  now: string,
  then: string,
])[] = [
  [
    'a changed function alone',
    'a.js',
    'export function a() { return 1 }\nexport function b() { return 1 }',
    'export function a() { return 2 }\nexport function b() { return 1 }',
    'export function a() {}\nexport function b() { return 1 }',
  ],
  [
    'not what was only laid out anew',
    'a.js',
    'function a() { return 1 }',
    'function a() {\n  // why\n  return 1\n}\nconst b = () => 3',
    'function a() {\n  // why\n  return 1\n}\nconst b = () => undefined',
  ],
  [
    'arrows, methods, getters, setters',
    'a.js',
    undefined,
    'const a = async (x) => ({ x })\nconst o = { m() { return 1 }, get g() { return 1 }, set g(v) { this.v = v }, f: function () { return 1 } }',
    'const a = async (x) => undefined\nconst o = { m() {}, get g() {}, set g(v) {}, f: function () {} }',
  ],
  [
    'a class keeps its shape and its constructor',
    'a.ts',
    undefined,
    'export class A<T> { #n = 1; constructor(private x: T) { this.#n = 2 } get n(): number { return this.#n } set n(v: number) { this.#n = v } static async *all(): AsyncGenerator<number> { yield 1 } p = (): number => 2 }',
    'export class A<T> { #n = 1; constructor(private x: T) { this.#n = 2 } get n(): number { return undefined as never } set n(v: number) {} static async *all(): AsyncGenerator<number> { return undefined as never } p = (): number => (undefined as never) }',
  ],
  [
    'a function that wraps a module stays',
    'a.js',
    undefined,
    '(function (root) { root.f = function () { return 1 } })(this);',
    '(function (root) { root.f = function () {} })(this);',
  ],
  [
    'overloads and types stay',
    'a.ts',
    undefined,
    'export function f(a: string): string\nexport function f(a: number): number\nexport function f(a: any): any { return a }\ninterface I { m(): void }',
    'export function f(a: string): string\nexport function f(a: number): number\nexport function f(a: any): any { return undefined as never }\ninterface I { m(): void }',
  ],
  [
    'a component',
    'a.tsx',
    undefined,
    'export const A = ({ x }: P) => <p>{x}</p>',
    'export const A = ({ x }: P) => (undefined as never)',
  ],
  [
    'Python: functions, methods, generators, not constructors',
    'a.py',
    'def b():\n    return 1\n',
    'def b():\n    return 1\n\nclass A:\n    def __init__(self):\n        self.x = 1\n\n    @property\n    def p(self) -> int:\n        """doc"""\n        return 1\n\n    async def g(self):\n        yield 1\n\nz = lambda: 3\n',
    'def b():\n    return 1\n\nclass A:\n    def __init__(self):\n        self.x = 1\n\n    @property\n    def p(self) -> int: return\n\n    async def g(self): return; yield\n\nz = lambda: None\n',
  ],
  [
    'Python: a statement that moved out of its block is a change',
    'a.py',
    'def f(x):\n    if x:\n        a()\n        b()\n',
    'def f(x):\n    if x:\n        a()\n    b()\n',
    'def f(x): return\n',
  ],
]
test.each(cases)('Emptied: %s', async (_title, path, before, now, then) => {
  expect(await emptied({ path, before, now })).toMatchObject({ kind: 'emptied', text: then })
})

test.each([
  ['no_function_changed', 'a.ts', 'const a = 1', 'const a = 2'],
  ['no_function_changed', 'a.ts', undefined, 'export class A { constructor() { this.x = 1 } }'],
  ['syntax', 'a.ts', undefined, 'export function (('],
  ['language', 'a.rs', undefined, 'fn f() {}'],
] as const)('Impossible, and says why: %s', async (why, path, before, now) => {
  expect(await emptied({ path, before, now })).toEqual({ kind: 'impossible', why })
})

test('Files of these packages, emptied as a whole, are still what Node can read; the parser is unsure of few', async () => {
  const folder = new URL('../../../packages/', import.meta.url)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) =>
    /^[^/]+\/src\/.*\.ts$/.test(it),
  )
  const { stripTypeScriptTypes } = await import('node:module')
  const unsure: string[] = []
  const unreadable: string[] = []
  for (const name of sample(names, { quick: 100 })) {
    const outcome = await emptied({ path: name, now: readFileSync(new URL(name, folder), 'utf8') })
    if (outcome.kind === 'impossible' && outcome.why !== 'no_function_changed') unsure.push(name)
    if (outcome.kind === 'emptied' && !isReadable(() => stripTypeScriptTypes(outcome.text))) unreadable.push(name)
  }
  expect(unreadable).toEqual([])
  expect(unsure.length).toBeLessThan(names.length / 50)
})

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

test('Emptied Python is what Python can compile, also where it is odd', async () => {
  const now = [
    'import asyncio',
    'async def a():',
    '\tasync with x() as y:',
    '\t\tyield y',
    'def b(a, /, *, c: "int" = (lambda: 1)()) -> "list[int]":',
    '    def inner(): yield 1',
    '    return """',
    'not indented',
    '"""',
    'class C:',
    '    x = [lambda i=i: i for i in range(3)]',
    '    def d(self): return 1',
    '    @staticmethod',
    '    def e():',
    '        # first a comment',
    '        match 1:',
    '            case _: return 2',
    'if True:',
    '    def f():',
    '        return 1',
    'else:',
    '    def f(): pass',
    '',
  ].join('\n')
  const outcome = await emptied({ path: 'a.py', now })
  expect(outcome.kind).toBe('emptied')
  if (outcome.kind !== 'emptied') return
  execFileSync('python3', ['-c', 'import ast,sys; ast.parse(sys.stdin.read())'], { input: outcome.text })
})
