import { fold, LoaderError, reduce, type SessionState, type SessionWriter } from '@loader/session-core'
import {
  type CallKind,
  type Fault,
  faulty,
  type FaultyFileSystem,
  SimulatedFileSystem,
} from '@loader/test-harness/faults'
import { everyNth, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type CommitMode, FileSessionStore, type FileSystem } from '../src/index.ts'
import { eventBy, opened, owner } from './children/events.ts'
import { type Outcome, runScript, scriptRotation } from './children/script.ts'

/** Every call fails where CI asks for it; else one of so many. */
const every = everyNth({ quick: 14, ci: 2, long: 1 })

const directory = '/w/sessions'

function storeOn(fileSystem: FileSystem, pid: number, commit: CommitMode = 'inline'): FileSessionStore {
  const self = { pid, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  const processes = {
    self,
    stateOf: (other: { pid: number }) => (other.pid === pid ? ('alive' as const) : ('dead' as const)),
  }
  return new FileSessionStore({ directory }, { commit, rotateAfterBytes: scriptRotation, fileSystem, processes })
}

interface Run {
  readonly disk: SimulatedFileSystem
  readonly port: FaultyFileSystem
  readonly outcomes: readonly Outcome[]
  readonly errors: readonly unknown[]
  /** What came of every event that was handed in. */
  readonly settled: ReadonlyMap<string, Outcome>
}

async function runWith(fault: Fault, commit: CommitMode): Promise<Run> {
  const disk = new SimulatedFileSystem({ directories: ['/w'] })
  const port = faulty(disk, { faults: [fault] })
  const errors: unknown[] = []
  const settled = new Map<string, Outcome>()
  const outcomes = await runScript(storeOn(port, 1, commit), 'one', {
    by: 'script',
    expect: 'new',
    settled: (line, outcome) => settled.set(line, outcome),
    failed: (error) => errors.push(error),
  })
  return { disk, port, outcomes, errors, settled }
}

/** Outcomes after which nothing of an event may be found. */
const refused = new Set(['storage_full', 'storage_refused', 'impossible_event'])

/** Looks at what a run left behind, on a disk that works again. */
async function requireGood({ disk, port, outcomes, errors, settled }: Run, where: string): Promise<void> {
  const strange = outcomes.filter((outcome) => outcome.startsWith('not a'))
  expect(strange, `when ${where}`).toEqual([])
  for (const error of errors) expect(helps(error), `${where}: ${String(error)}`).toBe(true)
  expect(repeatedFlushes(port), `when ${where}`).toEqual([])
  const cannotClose = port.calls.some(({ kind, faults }) => (kind === 'close' || kind === 'open') && faults.length > 0)
  if (!cannotClose) expect(disk.openPaths(), `when ${where}`).toEqual([])

  const healthy = disk.afterKill()
  const acknowledged = [...settled].filter(([, outcome]) => outcome === 'ok').map(([line]) => line)
  const lines = await claimAndRead(storeOn(healthy, 2), where)
  if (lines === undefined) return expect(acknowledged, `when ${where}`).toEqual([])
  for (const line of acknowledged) expect(lines, `${where}; ${outcomes.join(' ')}`).toContain(line)
  // The claim that was made by looking is not part of it.
  for (const line of lines) {
    expect(settled.has(line), `${where}: ${line} is there and was never handed in`).toBe(true)
    expect(refused.has(settled.get(line) as string), `${where}: ${line} was refused and is there`).toBe(false)
  }
  const left = Object.keys(healthy.files()).filter((path) => path.endsWith('.tmp'))
  expect(left, `when ${where}`).toEqual([])
  for (const query of [{}, { check: true }]) {
    const { rows } = await storeOn(healthy, 3).list(query)
    expect(
      rows.map(({ id, status }) => `${id} ${status}`),
      `${where}, listed ${JSON.stringify(query)}`,
    ).toEqual(['one resting'])
  }
}

async function claimAndRead(store: FileSessionStore, where: string): Promise<string[] | undefined> {
  const claim = await store.claim('one', { owner, expect: 'existing' }).catch((error: unknown) => {
    if (LoaderError.is(error, 'session_not_found')) return undefined
    throw new Error(`${where}: ${String(error)}`, { cause: error })
  })
  if (claim === undefined) return undefined
  const lines: string[] = []
  for await (const event of store.read('one')) lines.push(JSON.stringify(event))
  const found = fold(claim.events, claim.state)
  expect(found?.seq ?? 0, `when ${where}`).toBe(lines.length)
  if (found !== null) await goOn(claim.writer, found)
  await claim.writer.release()
  return lines.length === 0 ? undefined : lines
}

async function goOn(writer: SessionWriter, state: SessionState): Promise<void> {
  const event = eventBy('after', state.seq + 1)
  await writer.append([event], 'flush')
  await writer.save(reduce(state, event))
}

/** Says what happened, to which thing, and what to do. */
function helps(error: unknown): boolean {
  return (
    LoaderError.is(error) &&
    /one|folder for sessions/.test(error.message) &&
    error.message.length > 60 &&
    /\. [A-Z]/.test(error.message)
  )
}

/** Files that were flushed again after a flush of them had failed. Each has a name of its own while it is open. */
function repeatedFlushes({ calls }: FaultyFileSystem): string[] {
  const flushes = calls.filter(
    ({ kind, paths }) => (kind === 'fsync' || kind === 'fdatasync') && paths[0] !== directory,
  )
  return flushes.flatMap(({ outcome, paths }, index) => {
    const isFailed = outcome !== 'ok' && outcome !== 'under way'
    return isFailed && flushes.slice(index + 1).some((later) => later.paths[0] === paths[0]) ? [String(paths[0])] : []
  })
}

type Plan = (nth: number) => Fault

const plans: Readonly<Record<string, Plan>> = {
  'fails with EIO once': (nth) => ({ on: 'any', nth, fault: 'error', code: 'EIO' }),
  'fails with EIO, as do all after it': (nth) => ({ on: 'any', nth, lasts: 'forever', fault: 'error', code: 'EIO' }),
  'does its work and fails with EIO': (nth) => ({ on: 'any', nth, fault: 'error', code: 'EIO', work: 'done' }),
  'fails with ENOSPC once': (nth) => ({ on: writing, nth, fault: 'error', code: 'ENOSPC' }),
  'fails with ENOSPC, as do all after it': (nth) => ({
    on: writing,
    nth,
    lasts: 'forever',
    fault: 'error',
    code: 'ENOSPC',
  }),
  'fails with EACCES once': (nth) => ({ on: naming, nth, fault: 'error', code: 'EACCES' }),
  'fails with EMFILE, as do all after it': (nth) => ({
    on: opening,
    nth,
    lasts: 'forever',
    fault: 'error',
    code: 'EMFILE',
  }),
  'writes a few bytes only': (nth) => ({ on: 'write', nth, fault: 'short write', bytes: 7 }),
  'writes a few bytes only, as do all after it': (nth) => ({
    on: 'write',
    nth,
    lasts: 'forever',
    fault: 'short write',
    bytes: 700,
  }),
}
const writing: readonly CallKind[] = ['open', 'write', 'fsync', 'fdatasync', 'rename', 'link', 'mkdir']
const naming: readonly CallKind[] = ['open', 'rename', 'link', 'unlink', 'mkdir', 'readdir', 'readFile']
const opening: readonly CallKind[] = ['open', 'readFile', 'readdir']

describe.each<CommitMode>(sample(['inline', 'pool'], { quick: 1 }))(
  'a file system of which one call goes wrong (%s)',
  (commit) => {
    test.each(Object.entries(plans))(
      'loses nothing acknowledged and acknowledges nothing lost: it %s',
      { timeout: 3_600_000 },
      async (name, plan) => {
        const count = { faults: 0, refusals: 0, poisoned: 0, unharmed: 0 }
        for (let nth = 1; ; nth += every) {
          const run = await runWith(plan(nth), commit)
          const struck = run.port.calls.find(({ faults }) => faults.length > 0)
          if (struck === undefined) break
          count.faults += 1
          if (run.outcomes.includes('storage_uncertain')) count.poisoned += 1
          else if (run.outcomes.every((outcome) => outcome === 'ok')) count.unharmed += 1
          else count.refusals += 1
          await requireGood(run, `call ${nth}, ${struck.kind} ${struck.paths.join(' -> ')}, ${name}`)
        }
        console.log(`${commit}, ${name}:`, count)
        expect(count.faults).toBeGreaterThan(2)
        if (name.startsWith('writes')) expect(count.unharmed).toBe(count.faults)
      },
    )

    test('lets the same process claim again after a claim that failed', async () => {
      let failures = 0
      for (let nth = 1; ; nth += 1) {
        const port = faulty(new SimulatedFileSystem({ directories: ['/w'] }))
        const store = storeOn(port, 1, commit)
        const { writer } = await store.claim('one', { owner, expect: 'new' })
        await writer.append([opened('one'), eventBy('one', 2)], 'flush')
        await writer.release()
        port.add({ on: 'any', nth, fault: 'error', code: 'EIO' })
        const from = port.calls.length
        const outcome = await outcomeOf(
          store.claim('one', { owner, expect: 'existing' }).then(({ writer: second }) => second.release()),
        )
        const struck = port.calls.slice(from).find(({ faults }) => faults.length > 0)
        if (struck === undefined) break
        if (outcome === 'ok') continue
        failures += 1
        const again = await outcomeOf(store.claim('one', { owner, expect: 'existing' }).then(() => undefined))
        // Where giving it free is what failed, it is free when the process ends, or for whoever takes it over.
        const isTaken = port.calls.slice(from, port.calls.indexOf(struck)).some(({ kind }) => kind === 'link')
        const isAtTheEnd = isTaken && struck.paths.some((path) => path.includes('.lock.2'))
        expect(again, `call ${nth}, ${struck.kind} ${struck.paths.join(' ')}, ${outcome}`).toBe(
          isAtTheEnd ? again : 'ok',
        )
      }
      expect(failures).toBeGreaterThan(20)
    })

    test('goes on after a refused write that took those behind it along', async () => {
      const port = faulty(new SimulatedFileSystem({ directories: ['/w'] }))
      let underWay: () => void = () => undefined
      const noticing = {
        ...port,
        writeSync: (...args: Parameters<typeof port.writeSync>) => {
          underWay()
          return port.writeSync(...args)
        },
        write: (...args: Parameters<typeof port.write>) => {
          underWay()
          port.write(...args)
        },
      }
      const store = storeOn(noticing, 1, commit)
      const { writer } = await store.claim('one', { owner, expect: 'new' })
      await writer.append([opened('one')], 'flush')
      port.add({ on: 'write', path: /journal/, fault: 'error', code: 'ENOSPC' })
      const behind: Promise<Outcome>[] = []
      underWay = () => {
        underWay = () => undefined
        behind.push(outcomeOf(writer.append([eventBy('behind', 3)], 'flush')))
        behind.push(outcomeOf(writer.append([eventBy('behind', 4)], 'os')))
      }
      const first = await outcomeOf(writer.append([eventBy('refused', 2)], 'flush'))
      expect([first, ...(await Promise.all(behind))]).toEqual(['storage_full', 'storage_full', 'storage_full'])
      // A save waits for everything that was enqueued.
      await writer.save(fold([opened('one')]) as SessionState)
      await writer.append([eventBy('kept', 2)], 'flush')
      await writer.release()
      const lines: string[] = []
      for await (const event of store.read('one')) lines.push(JSON.stringify(event))
      expect(lines).toEqual([opened('one'), eventBy('kept', 2)].map((event) => JSON.stringify(event)))
    })
  },
)

async function outcomeOf(work: Promise<void>): Promise<Outcome> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (LoaderError.is(error)) return error.code
    throw error
  }
}
