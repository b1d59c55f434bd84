import { LoaderError, MemoryStore, Session } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import { existsSync } from 'node:fs'
import { fromCi, sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { crashMatrix, type CrashPorts, killableTool, temporaryWorkspace } from '../src/index.ts'
import { type Books, type Folder, problemsOf, scenario, storeOf } from './crash-matrix/bookkeeper.ts'
import { acknowledgeFirst, startFirst } from './crash-matrix/hasty-bookkeeper.ts'

const prepare = () => temporaryWorkspace()
const check = (resumed: Books) => problemsOf(resumed)
const bookkeeper = new URL('crash-matrix/bookkeeper.ts', import.meta.url).href
const hastyBookkeeper = new URL('crash-matrix/hasty-bookkeeper.ts', import.meta.url).href

test('an agent that does it right survives a crash at every boundary', async () => {
  const { boundaries, runs, failures, byKind } = await inProcess(scenario)
  expect(failures).toEqual([])
  expect(runs).toBe(boundaries.length)
  expect(boundaries.slice(12, 20)).toEqual([
    { number: 13, kind: 'append', label: 'before append model.answered' },
    { number: 14, kind: 'append', label: 'after append model.answered' },
    { number: 15, kind: 'append', label: 'before append tool.started' },
    { number: 16, kind: 'append', label: 'after append tool.started' },
    { number: 17, kind: 'effect', label: 'before effect book' },
    { number: 18, kind: 'effect', label: 'after effect book' },
    { number: 19, kind: 'append', label: 'before append tool.finished' },
    { number: 20, kind: 'append', label: 'after append tool.finished' },
  ])
  expect(byKind).toEqual({
    claim: { boundaries: 4, runs: 4, failures: 0 },
    append: { boundaries: 18, runs: 18, failures: 0 },
    save: { boundaries: 4, runs: 4, failures: 0 },
    effect: { boundaries: 2, runs: 2, failures: 0 },
    release: { boundaries: 2, runs: 2, failures: 0 },
  })
})

test('a result that is acknowledged before it is durable is found, and its boundaries named', async () => {
  const { failures, byKind } = await inProcess(acknowledgeFirst)
  expect(failures[0]).toEqual({
    boundary: 18,
    kind: 'append',
    label: 'after append tool.finished',
    message: 'said to be booked, but is not',
  })
  expect(failures.at(-1)).toMatchObject({ kind: 'effect', label: 'before effect book' })
  expect(byKind['append']).toEqual({ boundaries: 18, runs: 18, failures: 7 })
})

test('an effect before its start is durable is found, and its boundaries named', async () => {
  const { failures } = await inProcess(startFirst)
  expect(failures).toEqual([
    { boundary: 16, kind: 'effect', label: 'after effect book', message: 'booked 2 times' },
    { boundary: 17, kind: 'append', label: 'before append tool.started, tool.finished', message: 'booked 2 times' },
  ])
})

test('a failure can be looked at alone', async () => {
  const { failures, runs } = await inProcess(startFirst, [16])
  expect({ runs, boundaries: failures.map(({ boundary }) => boundary) }).toEqual({ runs: 1, boundaries: [16] })
  await expect(inProcess(startFirst, [99])).rejects.toThrow('There is no boundary 99: the scenario has those from 1 to')
})

test('real processes are killed at the boundary, and other ones resume', async () => {
  const only = sample([18, 1, 4, 17, 7, 14, 16, 20, 26, 30], { quick: 1 })
  const options = { mode: 'process', prepare, check, only } as const
  const matrix = await crashMatrix({ ...options, module: bookkeeper })
  expect(matrix.failures).toEqual([])
  expect(matrix).toMatchObject({ runs: only.length, byKind: { effect: { boundaries: 2, failures: 0 } } })
  expect(matrix.boundaries).toEqual((await inProcess(scenario, [])).boundaries)
})

test.runIf(fromCi)('a planted bug is found with real processes too', async () => {
  const options = { mode: 'process', prepare, check, only: [17, 18] } as const
  const { failures } = await crashMatrix({ ...options, module: hastyBookkeeper })
  expect(failures.map(({ boundary, label }) => [boundary, label])).toEqual([[18, 'after append tool.finished']])
})

const badChildren = [
  {
    what: 'exits by itself',
    module: new URL('crash-matrix/programs/exits.ts', import.meta.url).href,
    message: 'ended by itself (code 3, signal null) without a result. It wrote:\nI have had enough.',
  },
  {
    what: 'cannot resume',
    module: new URL('crash-matrix/programs/no-resume.ts', import.meta.url).href,
    message: 'exports no function resume.',
  },
  {
    what: 'has no store that outlives it',
    module: new URL('crash-matrix/programs/stores-nowhere.ts', import.meta.url).href,
    message: 'The scenario fails without any crash: ports.store needs a store that outlives the process',
  },
  {
    what: 'does not end',
    module: new URL('crash-matrix/programs/hangs.ts', import.meta.url).href,
    message: 'did not end within 700 ms',
  },
] as const

test.for(sample(badChildren, { quick: 2 }))(
  'a child process that $what is an error',
  async ({ what, module, message }) => {
    const timeoutMilliseconds = what === 'does not end' ? 700 : 120_000
    const matrix = crashMatrix({ mode: 'process', module, check: () => undefined, timeoutMilliseconds })
    await expect(matrix).rejects.toThrow(message)
  },
)

test('a dead program does nothing any more, and learns nothing either', async () => {
  const later = () => new Promise((resolve) => setImmediate(resolve))
  const { failures } = await crashMatrix({
    mode: 'in-process',
    prepare: () => ({ done: [] as string[] }),
    async scenario({ world, store, effect, boundary }) {
      const aside = [
        later().then(() => effect('aside', () => world.done.push('effect'))),
        store.list().then(() => world.done.push('an answer')),
        effect('begun', async () => world.done.push('begun')).then(() => world.done.push('what came of it')),
      ]
      await boundary('step', 'death')
      await Promise.all(aside)
      return world.done
    },
    async resume({ world }) {
      for (let turn = 0; turn < 5; turn += 1) await later()
      return world.done
    },
    check: (resumed, uninterrupted) => {
      expect(uninterrupted.length).toBe(4)
      if (resumed !== uninterrupted) expect(resumed).toEqual(['begun'])
    },
    only: [2],
  })
  expect(failures).toEqual([])
})

test('the sessions of the dead can be taken', async () => {
  const { failures, runs } = await crashMatrix({
    mode: 'in-process',
    async scenario({ store, environment }) {
      const session = await Session.open(store, { environment, id: 'one' })
      await session.append({ type: 'custom.recorded', name: 'fact', data: 1 })
      return session.epoch
    },
    resume: async ({ store, environment }) => (await openOrLoad(store, environment)).epoch,
    check: (resumed, uninterrupted) => expect([uninterrupted, uninterrupted + 1]).toContain(resumed),
  })
  expect({ failures, runs }).toEqual({ failures: [], runs: 8 })
})

test('a session that was claimed and got nothing was never there, in the next life', async () => {
  const { failures } = await crashMatrix({
    mode: 'in-process',
    scenario: async ({ store, environment }) => (await Session.open(store, { environment, id: 'one' })).id,
    async resume({ store, environment }) {
      const session = await openOrLoad(store, environment)
      await session.close()
      await store.delete('one')
      return session.id
    },
    check: (resumed, uninterrupted) => expect(resumed).toBe(uninterrupted),
  })
  expect(failures).toEqual([])
})

test('a scenario that is not the same in every run is an error that names the first difference', async () => {
  let run = 0
  const matrix = plain(async ({ boundary }) => {
    run += 1
    await boundary('step', 'first')
    await boundary('step', run > 2 ? 'another' : 'second')
    await boundary('step', 'third')
  })
  await expect(matrix).rejects.toThrow(
    'boundary 2 (step, second) in the first, boundary 2 (step, another) in the one that was to be killed at boundary 2',
  )
})

test('a run that does not come to its boundary is an error', async () => {
  let run = 0
  const matrix = plain(async ({ boundary }) => {
    run += 1
    await boundary('step', 'first')
    if (run === 1) await boundary('step', 'second')
  })
  await expect(matrix).rejects.toThrow('boundary 2 (step, second) in the first, nothing in the one')
})

test('what would make every finding worthless is an error', async () => {
  await expect(plain(async () => undefined)).rejects.toThrow('The scenario has no boundary')
  await expect(plain(() => Promise.reject(new Error('No.')))).rejects.toThrow('fails without any crash: No.')
  const refusing = plain(({ boundary }) => boundary('step', 'one'), { check: () => 'never right' })
  await expect(refusing).rejects.toThrow('The check refuses even a run without a crash: never right')
  const hanging = plain(
    async ({ boundary }) => {
      await boundary('step', 'one')
      await new Promise(() => undefined)
    },
    { timeoutMilliseconds: 50 },
  )
  await expect(hanging).rejects.toThrow('The scenario did not end within 50 ms; the last thing seen was one.')
})

test('a resume that throws is a finding', async () => {
  const { failures } = await crashMatrix({
    mode: 'in-process',
    scenario: ({ boundary }) => boundary('seal', 'segment 1'),
    resume: () => Promise.reject(new Error('Cannot read segment 1.')),
    check: () => undefined,
  })
  expect(failures).toEqual([
    { boundary: 1, kind: 'seal', label: 'segment 1', message: 'The resume did not succeed: Cannot read segment 1.' },
  ])
})

test('every world is disposed of', async () => {
  const roots: string[] = []
  await crashMatrix({
    mode: 'in-process',
    async prepare() {
      const workspace = await temporaryWorkspace()
      roots.push(workspace.root)
      return workspace
    },
    scenario: ({ boundary }) => boundary('step', 'one'),
    resume: async () => undefined,
    check: () => undefined,
  })
  expect(roots.map((root) => existsSync(root))).toEqual([false, false])
})

test('a tool is killable before and after its effect', async () => {
  const tool: Tool<{ n: number }> = {
    name: 'double',
    description: 'Doubles.',
    input: z.object({ n: z.number() }),
    examine: async (input) => ({ valid: true, input, effect: 'none', paths: [], intent: [] }),
    run: async ({ input }) => ({ outcome: 'ok', text: String(2 * input.n) }),
  }
  const { boundaries } = await plain(async (ports) => {
    const killable = killableTool(tool, ports)
    const context = { callId: 'call_1', blobs: { put: () => Promise.reject(), get: () => Promise.reject() } }
    const examined = await killable.examine({ n: 2 }, context)
    if (examined.valid) expect(await killable.run(examined, context)).toEqual({ outcome: 'ok', text: '4' })
  })
  expect(boundaries.map(({ label }) => label)).toEqual(['before effect double', 'after effect double'])
})

function inProcess(program: (ports: CrashPorts<Folder>) => Promise<Books>, only?: readonly number[]) {
  const options = { mode: 'in-process', prepare, storeOf, check } as const
  return crashMatrix<Books, Folder>({ ...options, scenario: program, resume: program, ...(only && { only }) })
}

interface PlainOptions {
  readonly check?: () => string | undefined
  readonly timeoutMilliseconds?: number
}

function plain(
  scenario: (ports: CrashPorts<MemoryStore>) => Promise<void>,
  { check = () => undefined, timeoutMilliseconds = 120_000 }: PlainOptions = {},
) {
  return crashMatrix({
    mode: 'in-process',
    scenario,
    resume: async () => undefined,
    check,
    timeoutMilliseconds,
  })
}

async function openOrLoad(store: CrashPorts<unknown>['store'], environment: CrashPorts<unknown>['environment']) {
  try {
    return await Session.load(store, 'one', { environment })
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return Session.open(store, { environment, id: 'one' })
    throw error
  }
}
