// Within a package, folders must not import each other in a circle: `node scripts/floor-plan/check.mjs [root]`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { importsIn } from './imports.mjs'
import { knotsIn } from './knots.mjs'

/** Rooms that import nothing else of their package. */
const closedRooms = ['packages/workflow/src/judging/', 'packages/workflow/src/permission/']

const mostShown = 10

await requireSight()
const { files, imports } = await importsIn(resolve(process.argv[2] ?? join(import.meta.dirname, '../..')))
const faults = [...circles(imports), ...waysOut(imports)]
for (const fault of faults) console.error(`${fault}\n`)
console.log(`${files} files, ${imports.length} imports within packages, ${faults.length} faults in the floor plan`)
process.exitCode = faults.length === 0 ? 0 : 1

function circles(imports) {
  return knotsIn(imports).map((knot) => {
    const lines = knot.imports.slice(0, mostShown).map(({ from, to }) => `  ${from} imports ${to}`)
    const more = knot.imports.length > mostShown ? [`  and ${knot.imports.length - mostShown} imports more`] : []
    return [
      `In ${knot.folder}, these import each other in a circle: ${knot.rooms.join(', ')}.`,
      ...lines,
      ...more,
    ].join('\n')
  })
}

function waysOut(imports) {
  return closedRooms.flatMap((room) =>
    imports
      .filter(({ from, to }) => from.startsWith(room) && !to.startsWith(room))
      .map(({ from, to }) => `${room} must import nothing else of its package, but ${from} imports ${to}.`),
  )
}

/** A check that cannot see passes everything. This one has to find circles of each kind of import first. */
async function requireSight() {
  const kinds = {
    values: ["import { b } from '../b/b.ts'\nexport const a = b", "import { a } from '../a/a.ts'\nexport const b = a"],
    types: ["import type { B } from '../b/b.ts'\nexport type A = B", "export type B = import('../a/a.ts').A"],
    dynamic: ["export const a = () => import('../b/b.ts')", "export const b = () => import('../a/a.ts')"],
    parent: ["export { index } from '../index.ts'", 'export {}', "export { index } from './a/a.ts'"],
    none: ["import { b } from '../b/b.ts'\nexport const a = b", 'export const b = 1', "export { a } from './a/a.ts'"],
  }
  const root = mkdtempSync(join(tmpdir(), 'floor-plan-'))
  try {
    for (const [kind, [a, b, index = '']] of Object.entries(kinds)) {
      const texts = { 'a/a.ts': a, 'b/b.ts': b, 'index.ts': index }
      for (const [path, text] of Object.entries(texts)) {
        const file = join(root, 'packages', kind, 'src', path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, `${text}\n`)
      }
    }
    mkdirSync(join(root, 'apps'))
    const found = knotsIn((await importsIn(root)).imports).map(({ folder }) => folder.split('/')[1])
    const planted = Object.keys(kinds).filter((kind) => kind !== 'none')
    if (found.length !== planted.length || !planted.every((kind) => found.includes(kind))) {
      throw new Error(`Circles were planted in ${planted.join(', ')}, and found in ${found.join(', ') || 'none'}.`)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
