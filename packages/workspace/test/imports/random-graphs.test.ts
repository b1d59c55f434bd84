import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphOf } from './graph-of.ts'

interface Edge {
  readonly from: number
  readonly to: number
  readonly spelling: number
  readonly noise: number
}

const runs = 150

const edges = fc.array(fc.record({ from: fc.nat(), to: fc.nat(), spelling: fc.nat(), noise: fc.nat() }), {
  maxLength: 25,
})

type Found = readonly (readonly [from: string, to: string, kind: 'value' | 'type'])[]

const at = <T>(list: readonly T[], place: number): T => list[place % list.length] as T

async function foundIn(files: Readonly<Record<string, string>>): Promise<Found> {
  const graph = await graphOf(files)
  return Object.keys(files).flatMap((from) =>
    graph.imports(from).flatMap((one) => (one.to.kind === 'file' ? [[from, one.to.path, one.kind] as const] : [])),
  )
}

const sorted = (found: Found) => [...new Set(found.map((it) => it.join(' ')))].toSorted()

const javascriptSpellings: readonly (readonly [text: (it: string, nth: number) => string, kind: 'value' | 'type'])[] = [
  [(it, nth) => `import { a as a${nth} } from '${it}'`, 'value'],
  [(it) => `import "${it}"`, 'value'],
  [(it, nth) => `import b${nth}, * as c${nth}\n  from\n  '${it}'`, 'value'],
  [(it, nth) => `import type { T${nth} } from '${it}';`, 'type'],
  [(it, nth) => `export { type U${nth}, d as d${nth} } from '${it}'`, 'value'],
  [(it) => `export * from '${it}' // './no.ts'`, 'value'],
  [(it, nth) => `const e${nth} = require( /* '…' */ \`${it}\` ).f`, 'value'],
  [(it, nth) => `const g${nth} = async () => (await import('${it}')).default`, 'value'],
  [(it, nth) => `type V${nth} = { w: import('${it}').X<string> }[]`, 'type'],
  [(it, nth) => `const h${nth} = { [\`\${await import('${it}')}\`]: 1 / 2 / 3 }`, 'value'],
  [(it, nth) => `import i${nth} = require('${it}')`, 'value'],
  [(it, nth) => `const j${nth} = new URL('${it}', import.meta.url)`, 'value'],
]
const javascriptNoise = [
  `// import './a.ts'`,
  `/* export * from './a.ts' */`,
  'const text = "import \'./a.ts\'"',
  'const re = /["\'`]import/g',
  'const t = `a ${`b ${"import"}`} export * from "./a.ts"`',
  'for (const x of [1, 2]) { if (x > 1) continue }',
  `interface R { require: string; import(x: string): void }`,
  `class K<T extends object> { static #x = 1; get from() { return 'x' } }`,
]

test('a random graph of modules in random spellings is found back', async () => {
  const places = fc.uniqueArray(
    fc.tuple(
      fc.constantFrom('', 'a', 'a/b', 'c-d', 'a.b/ü'),
      fc.constantFrom('x', 'y.z', 'index', '$w'),
      fc.constantFrom('.ts', '.mts'),
    ),
    { minLength: 2, maxLength: 8, selector: ([folder, name]) => `${folder}/${name}` },
  )
  await fc.assert(
    fc.asyncProperty(places, edges, async (all, links) => {
      const paths = all.map(([folder, name, ending]) => posix.join(folder, name + ending))
      const texts = new Map(paths.map((it) => [it, '']))
      const expected = links.flatMap(({ from, to, spelling, noise }: Edge, nth): Found => {
        const [importer, target] = [at(paths, from), at(paths, to)]
        const [text, kind] = at(javascriptSpellings, spelling)
        const relative = posix.relative(posix.dirname(importer), target)
        const specifier = relative.startsWith('.') ? relative : `./${relative}`
        // Only a whole path is a URL; `.js` and no ending are ways to name a module.
        const isUrl = text('', 0).includes('new URL')
        const shown = isUrl ? specifier : at([specifier, specifier.replace(/ts$/, 'js'), specifier], noise)
        texts.set(importer, `${texts.get(importer)}\n${at(javascriptNoise, noise)}\n${text(shown, nth)}\n`)
        return importer === target ? [] : [[importer, target, kind]]
      })
      expect(sorted(await foundIn(Object.fromEntries(texts)))).toEqual(sorted(expected))
    }),
    { numRuns: runs },
  )
}, 120_000)

const pythonNoise = [
  '# import x',
  '"""\nimport x\n"""',
  `s = 'import x'`,
  'def f(a, *, b: int = 1) -> None: pass',
  '@d\nclass A: pass',
  'x = [\n  1,\n  2]',
]

test('a random graph of Python modules in random spellings is found back', async () => {
  const places = fc.uniqueArray(
    fc.tuple(fc.constantFrom([], ['p'], ['p', 'q'], ['r']), fc.constantFrom('m', 'n', 'o')),
    {
      minLength: 2,
      maxLength: 8,
      selector: ([folder, name]) => [...folder, name].join('.'),
    },
  )
  await fc.assert(
    fc.asyncProperty(places, edges, async (all, links) => {
      const root = ['top']
      const modules = all.map(([folder, name]) => [...root, ...folder, name])
      const pathOf = (module: readonly string[]) => `src/${module.join('/')}.py`
      const texts = new Map(modules.map((it) => [pathOf(it), '']))
      const expected = links.flatMap(({ from, to, spelling, noise }: Edge, nth): Found => {
        const [importer, target] = [at(modules, from), at(modules, to)]
        const name = target.at(-1) ?? ''
        const parent = target.slice(0, -1).join('.')
        const folder = importer.slice(0, -1)
        const shared = folder.findIndex((it, place) => target[place] !== it || place >= target.length - 1)
        const kept = shared === -1 ? folder.length : shared
        const dots = '.'.repeat(folder.length - kept + 1)
        const below = target.slice(kept, -1).join('.')
        const spellings: readonly (readonly [text: string, kind: 'value' | 'type'])[] = [
          [`import ${target.join('.')} as a${nth}`, 'value'],
          [`import os, ${target.join(' . ')}`, 'value'],
          [`from ${parent} import (nothing, # '\n   ${name} as b${nth},\n)`, 'value'],
          [`from ${target.join('.')} import *`, 'value'],
          [`from ${dots}${below} import ${name}`, 'value'],
          [`from ${dots}${[below, name].filter(Boolean).join('.')} import c`, 'value'],
          [`def f${nth}():\n    if True:\n        import ${target.join('.')}; x = 1`, 'value'],
          [`d${nth} = importlib.import_module('${target.join('.')}')`, 'value'],
          [`if TYPE_CHECKING:\n    from ${parent} import ${name}`, 'type'],
        ]
        const [text, kind] = at(spellings, spelling)
        texts.set(pathOf(importer), `${texts.get(pathOf(importer))}\n${at(pythonNoise, noise)}\n${text}\n`)
        return importer === target ? [] : [[pathOf(importer), pathOf(target), kind]]
      })
      expect(sorted(await foundIn({ 'pyproject.toml': '', ...Object.fromEntries(texts) }))).toEqual(sorted(expected))
    }),
    { numRuns: runs },
  )
}, 120_000)
