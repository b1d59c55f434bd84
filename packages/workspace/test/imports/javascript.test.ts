import { describe, expect, test } from 'vitest'
import { type Content, graphOf, told } from './graph-of.ts'

type Files = Readonly<Record<string, Content>>
type Situation = readonly [name: string, path: string, files: Files, ...expected: string[]]

const named = (all: readonly Situation[]) => all.map((situation) => ({ name: situation[0], situation }))

describe('each way to write an import leads to its file', () => {
  const spellings: readonly (readonly [text: string, ...expected: string[]])[] = [
    [`import './b.js'`, 'b.js'],
    [`import b from './b'`, 'b.js'],
    [`import b, { c as d } from "./b.js"`, 'b.js'],
    [`import * as b from './b.js' with { type: 'json' }`, 'b.js'],
    [`import defer * as b from './b.js'`, 'b.js'],
    [`import type from './b.js'`, 'b.js'],
    [`import type, { c } from './b.js'`, 'b.js'],
    [`import { type } from './b.js'`, 'b.js'],
    [`import { 'a-b' as c } from './b.js'`, 'b.js'],
    [`import b = require('./b.js')`, 'b.js'],
    [`export * from './b.js'`, 'b.js'],
    [`export * as b from './b.js'`, 'b.js'],
    [`export { c, d as default } from './b.js'`, 'b.js'],
    [`export { c as from } from './b.js'`, 'b.js'],
    [`const b = require('./b')`, 'b.js'],
    ['const b = require(`./b`)', 'b.js'],
    [`const b = require("./\\x62")`, 'b.js'],
    [`require.resolve('./b.js')`, 'b.js'],
    [`await import('./b.js')`, 'b.js'],
    [`await import('./b.js', { with: { type: 'json' } })`, 'b.js'],
    [`await import(/* webpackChunkName: "b" */ './b.js')`, 'b.js'],
    [`import.meta.resolve('./b.js')`, 'b.js'],
    [`new Worker(new URL('./b.js', import.meta.url))`, 'b.js'],
    [`import './b.js?raw'`, 'b.js'],
    [`const x = <A b={import('./b.js')}>import './c.js'</A>`, 'b.js'],
    ['const x = `${import("./b.js")} import "./c.js"`', 'b.js'],
    [`// import './b.js'\n/* require('./b.js') */ const a = /require('.\\/b.js')/`],
    [`const a = "import './b.js'"`],
    [`export { c }\n'./b.js'`],
    [`const from = 1; export const a = './b.js'`],
    [`a.require('./b.js'); a.import('./b.js')`],
    [`class A { f( }\nimport './b.js'`, 'b.js'],
    [`import './b.js'; function f( {`, 'b.js'],
    [`await import(name)`, 'computed'],
    [`await import('./' + name)`, 'computed'],
    ['await import(`./${name}.js`)', 'computed'],
    [`require(join(root, 'b.js'))`, 'computed'],
    [`require(require('./b.js'))`, 'b.js', 'computed'],
    [`import.meta.glob('./*.js')`, 'computed'],
    [`import fs from 'fs'; import 'node:path/posix'`, 'package node:fs', 'package node:path/posix'],
    [`import '@a/b/c'; import 'd/e.js'`, 'package @a/b', 'package d'],
    [`import 'https://a.example/b.js'`, 'package https://a.example/b.js'],
    [`import './gone.js'`, 'missing ./gone.js'],
    [`import '../../../b.js'`, 'missing ../../../b.js'],
  ]
  test.each(spellings)('%s', async (text, ...expected) => {
    expect(told(await graphOf({ 'a.js': text, 'b.js': '', 'c.js': '' }), 'a.js')).toEqual(expected.toSorted())
  })
})

describe('imports of types are told from those of values', () => {
  const spellings: readonly (readonly [text: string, ...expected: string[]])[] = [
    [`import type { B } from './b.ts'`, 'b.ts (type)'],
    [`import type B from './b'`, 'b.ts (type)'],
    [`import type B = require('./b.js')`, 'b.ts (type)'],
    [`export type { B } from './b.ts'`, 'b.ts (type)'],
    [`export type * from './b.ts'`, 'b.ts (type)'],
    [`type B = import('./b.ts').B`, 'b.ts (type)'],
    [`let b: typeof import('./b.ts')`, 'b.ts (type)'],
    [`/// <reference path="b.ts" />`, 'b.ts (type)'],
    // Without further settings such a statement still loads the module.
    [`import { type B } from './b.ts'`, 'b.ts'],
    [`export { type B, type C, d, type E } from './b.ts'`, 'b.ts'],
    [`import { type B, c } from './b.ts'`, 'b.ts'],
    [`import type { B } from './b.ts'; import './b.ts'`, 'b.ts', 'b.ts (type)'],
    [`export type A = 'x'; import './b.ts'`, 'b.ts'],
    [`const is = (a): a is B => a; import './b.ts'`, 'b.ts'],
  ]
  test.each(spellings)('%s', async (text, ...expected) => {
    expect(told(await graphOf({ 'a.ts': text, 'b.ts': '' }), 'a.ts')).toEqual(expected.toSorted())
  })
})

describe('a module is found', () => {
  const situations: readonly Situation[] = [
    ['by the name that it is built to', 'a.ts', { 'a.ts': `import './b.js'`, 'b.ts': '' }, 'b.ts'],
    ['as source before output by TypeScript', 'a.ts', { 'a.ts': `import './b.js'`, 'b.ts': '', 'b.js': '' }, 'b.ts'],
    ['as it is named by JavaScript', 'a.js', { 'a.js': `import './b.js'`, 'b.ts': '', 'b.js': '' }, 'b.js'],
    ['as a folder with an index', 'a.ts', { 'a.ts': `import './b'`, 'b/index.tsx': '' }, 'b/index.tsx'],
    [
      'as the folder it lies in',
      'b/a.ts',
      { 'b/a.ts': `import '.'; import '..'`, 'b/index.ts': '', 'index.js': '' },
      'b/index.ts',
      'index.js',
    ],
    [
      'by the main file of a folder',
      'a.js',
      { 'a.js': `require('./b')`, 'b/package.json': '{"main":"lib/x"}', 'b/lib/x.js': '' },
      'b/lib/x.js',
    ],
    [
      'as JSON',
      'a.ts',
      { 'a.ts': `import x from './b.json'; require('./c')`, 'b.json': '', 'c.json': '' },
      'b.json',
      'c.json',
    ],
    ['with dots in its name', 'a.ts', { 'a.ts': `import './b.test'`, 'b.test.ts': '' }, 'b.test.ts'],
    [
      'by `paths` of a settings file with comments that extends another',
      'app/src/a.ts',
      {
        'app/src/a.ts': `import '@/b'; import 'lib'; import '@scope/x'`,
        'app/tsconfig.json': '{ // x\n "extends": "../base.json", }',
        'base.json': '{"compilerOptions":{"paths":{"@/*":["./none/*","./app/src/*"],"lib":["lib/main.ts"]}}}',
        'app/src/b.ts': '',
        'lib/main.ts': '',
      },
      'app/src/b.ts',
      'lib/main.ts',
      'package @scope/x',
    ],
    [
      'by `baseUrl`',
      'src/a.ts',
      {
        'src/a.ts': `import 'deep/b'; import 'zod'`,
        'tsconfig.json': '{"compilerOptions":{"baseUrl":"src"}}',
        'src/deep/b.ts': '',
      },
      'package zod',
      'src/deep/b.ts',
    ],
    [
      'by settings beside tsconfig.json, as templates have them',
      'src/a.ts',
      {
        'src/a.ts': `import '@/b'`,
        'tsconfig.json': '{"files":[],"references":[{"path":"./tsconfig.app.json"}]}',
        'tsconfig.app.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
        'src/b.ts': '',
      },
      'src/b.ts',
    ],
    [
      'although settings extend each other in a circle',
      'a.ts',
      {
        'a.ts': `import 'b'`,
        'tsconfig.json': '{"extends":"./tsconfig.b.json"}',
        'tsconfig.b.json': '{"extends":"./tsconfig.json"}',
      },
      'package b',
    ],
    [
      'by a private name',
      'src/a.ts',
      {
        'src/a.ts': `import '#b'; import '#deep/c.js'; import '#x'; import '#gone'`,
        'package.json':
          '{"imports":{"#b":{"types":"./types.d.ts","default":"./src/b.ts"},"#deep/*.js":"./src/deep/*.ts","#x":"zod"}}',
        'src/b.ts': '',
        'src/deep/c.ts': '',
        'types.d.ts': '',
      },
      'src/b.ts',
      'src/deep/c.ts',
      'package zod',
      'missing #gone',
    ],
    [
      'by the name of its own package',
      'test/a.js',
      {
        'test/a.js': `import 'me'; import 'me/sub'; import 'me/hidden'`,
        'package.json': '{"name":"me","exports":{".":"./i.js","./sub":["./none.js","./s.js"],"./hidden":null}}',
        'i.js': '',
        's.js': '',
      },
      'i.js',
      's.js',
      'missing me/hidden',
    ],
  ]
  test.each(named(situations))('$name', async ({ situation: [, path, files, ...expected] }) => {
    expect(told(await graphOf(files), path)).toEqual(expected.toSorted())
  })
})

describe('a package of the project', () => {
  const members = {
    'package.json': '{"workspaces":["packages/*"]}',
    'packages/b/package.json': '{"name":"b","main":"x.js"}',
  }
  const situations: readonly Situation[] = [
    [
      'is found by workspaces',
      'packages/a/a.js',
      { ...members, 'packages/a/a.js': `import 'b'`, 'packages/b/x.js': '' },
      'packages/b/x.js',
    ],
    [
      'is found below its folder',
      'a.js',
      { ...members, 'a.js': `import 'b/deep/y'`, 'packages/b/deep/y.ts': '' },
      'packages/b/deep/y.ts',
    ],
    [
      'is found by a dependency of the kind workspace:',
      'a/a.ts',
      {
        'a/package.json': '{"dependencies":{"b":"workspace:^"}}',
        'a/a.ts': `import 'b'`,
        'p/b/package.json': '{"name":"b","exports":"./s.ts"}',
        'p/b/s.ts': '',
      },
      'p/b/s.ts',
    ],
    [
      'is found by a dependency on its folder',
      'a/a.ts',
      {
        'a/package.json': '{"dependencies":{"other":"file:../b"}}',
        'a/a.ts': `import 'other'`,
        'b/package.json': '{"name":"b","exports":"./s.ts"}',
        'b/s.ts': '',
      },
      'b/s.ts',
    ],
    [
      'is not one that only lies in a folder of fixtures',
      'a.ts',
      {
        'package.json': '{"dependencies":{"react":"^19"}}',
        'a.ts': `import 'react'`,
        'test/fixtures/app/package.json': '{"name":"react"}',
        'test/fixtures/app/index.js': '',
      },
      'package react',
    ],
    [
      'may be one that pnpm links, and may be not',
      'a.ts',
      { 'pnpm-workspace.yaml': '', 'a.ts': `import 'b'`, 'b/package.json': '{"name":"b"}', 'b/index.js': '' },
      'package b',
      'ambiguous b',
    ],
    [
      'stands for its source where it is not built, and this is said',
      'packages/a/a.js',
      {
        'package.json': '{"workspaces":["packages/*"]}',
        'packages/a/a.js': `import 'b'; import 'b/sub'; import 'b/none'`,
        'packages/b/package.json':
          '{"name":"b","exports":{".":{"types":"./dist/index.d.ts","default":"./dist/index.js"},"./sub":"./dist/esm/deep/sub.mjs","./none":"./dist/none.js"}}',
        'packages/b/src/index.ts': '',
        'packages/b/src/deep/sub.ts': '',
      },
      'packages/b/src/deep/sub.ts',
      'packages/b/src/index.ts',
      'not_built b',
      'not_built b/none',
      'not_built b/sub',
    ],
    [
      'stands for its source by the folders of the compiler',
      'a.ts',
      {
        'package.json': '{"name":"me","main":"build/out/x.js"}',
        'tsconfig.json': '{"compilerOptions":{"outDir":"build","rootDir":"code"}}',
        'a.ts': `import 'me'`,
        'code/out/x.ts': '',
        'src/x.ts': '',
      },
      'code/out/x.ts',
      'not_built me',
    ],
    [
      'is every file that the conditions of a program can choose',
      'a.js',
      {
        'package.json':
          '{"name":"me","exports":{"types":"./t.d.ts","browser":"./b.js","import":"./i.js","require":"./r.cjs"}}',
        'a.js': `import 'me'`,
        'b.js': '',
        'i.js': '',
        'r.cjs': '',
        't.d.ts': '',
      },
      'b.js',
      'i.js',
    ],
  ]
  test.each(named(situations))('$name', async ({ situation: [, path, files, ...expected] }) => {
    expect(told(await graphOf(files), path)).toEqual(expected.toSorted())
  })
})
