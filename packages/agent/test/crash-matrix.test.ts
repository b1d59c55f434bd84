import { MemoryStore, type SessionStore } from '@loader/session-core'
import { type Boundary, type CrashMatrix, crashMatrix, temporaryWorkspace } from '@loader/test-harness'
import { fromCi, sample, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as clarifyToVerify from './crash-matrix/clarify-to-verify.ts'
import * as compacting from './crash-matrix/compacting.ts'
import { hastyStore } from './crash-matrix/hasty-store.ts'
import { differences, type Outcome, type World } from './crash-matrix/program.ts'
import * as tenTools from './crash-matrix/ten-tools.ts'

/** At how many boundaries a real process is killed. */
const stories = [
  { name: 'ten calls', program: tenTools, file: 'ten-tools.ts', kills: times({ quick: 0, ci: 3, long: 60 }) },
  {
    name: 'clarify, plan, execute, verify',
    program: clarifyToVerify,
    file: 'clarify-to-verify.ts',
    kills: times({ quick: 0, ci: 2, long: 40 }),
  },
  { name: 'compaction', program: compacting, file: 'compacting.ts', kills: times({ quick: 0, ci: 2, long: 40 }) },
]
type Program = (typeof stories)[number]['program']

describe.each(sample(stories, { quick: 1 }))('a task with $name', ({ name, program }) => {
  test('comes to the same end wherever the process ends', { timeout: 3_600_000 }, async () => {
    const prepare = () => prepared(program, new MemoryStore())
    const { boundaries } = await inProcess(program, prepare, [])
    const count = Math.min(boundaries.length, times({ quick: 3, ci: 7, long: 10_000 }))
    const matrix = await inProcess(program, prepare, chosen(boundaries, count))
    print(`${name}, in one process`, matrix)
    expect(matrix.failures).toEqual([])
    expect(matrix.runs).toBe(count)
  })
})

describe.each(sample(stories, { quick: 1 }))('a task with $name', ({ name, program, file, kills }) => {
  // It starts several processes for each kill; the same boundaries are met above, where a process merely goes no further.
  test.runIf(fromCi)('comes to the same end wherever the process is killed', { timeout: 3_600_000 }, async () => {
    const { boundaries } = await inProcess(program, () => prepared(program), [])
    const halfWay = boundaries.filter(({ label }) => label.startsWith('during')).map(({ number }) => number)
    const only = [
      ...new Set([...chosen(boundaries, Math.min(kills, boundaries.length)), ...sample(halfWay, { quick: 1, ci: 2 })]),
    ]
    const matrix = await crashMatrix<Outcome, World>({
      mode: 'process',
      module: new URL(`crash-matrix/${file}`, import.meta.url).href,
      prepare: () => prepared(program),
      check: differences,
      only,
    })
    print(`${name}, killed`, matrix)
    expect(matrix.boundaries).toEqual(boundaries)
    expect(matrix.failures).toEqual([])
    expect(matrix.runs).toBe(only.length)
  })
})

test('what is acknowledged before it is durable shows as lost events and doubled effects', async () => {
  const prepare = () => prepared(tenTools, hastyStore(new MemoryStore()))
  const { boundaries } = await inProcess(tenTools, prepare, [])
  const after = boundaries.filter(({ label }) => label === 'after effect bash').slice(0, 1)
  const { failures } = await inProcess(
    tenTools,
    prepare,
    after.map(({ number }) => number),
  )
  expect(failures[0]?.message).toMatch(/^lost: .*"type":"tool.started"/m)
  expect(failures[0]?.message).toMatch(/^\["bash",.* took effect twice$/m)
})

async function prepared({ files }: Program, store?: SessionStore): Promise<World> {
  const workspace = await temporaryWorkspace({ files })
  return store === undefined ? workspace : { ...workspace, store }
}

function inProcess({ scenario, resume, storeOf }: Program, prepare: () => Promise<World>, only: readonly number[]) {
  return crashMatrix<Outcome, World>({
    mode: 'in-process',
    prepare,
    storeOf,
    scenario,
    resume,
    check: differences,
    only,
  })
}

/** So many of them, spread over the run; where not all can be had, few of those that are the most common. */
function chosen(boundaries: readonly Boundary[], count: number): number[] {
  const few = count < boundaries.length / 3
  const from = few ? boundaries.filter(({ kind, number }) => kind !== 'append' || number % 4 === 0) : boundaries
  return Array.from({ length: count }, (_unused, index) => {
    return from[Math.floor(((index + 0.5) * from.length) / count)]?.number ?? 1
  })
}

function print(what: string, { byKind }: CrashMatrix): void {
  const kinds = Object.entries(byKind).map(([kind, { boundaries, runs, failures }]) => {
    return `${kind} ${runs} of ${boundaries}${failures > 0 ? ` (${failures} failed)` : ''}`
  })
  console.log(`${what}, by kind of boundary: ${kinds.join(', ')}`)
}
