import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Claim, fold, LoaderError, reduce, type SessionState } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { everyNth, sample, times } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CommitMode, FileSessionStore } from '../src/index.ts'
import { eventBy, opened, owner } from './children/events.ts'
import { scriptRotation } from './children/script.ts'
import type { Report, Standing, Task } from './children/standing-writer.ts'

/** Every stop where CI asks for it; else one of so many, and of those up to the first save one of fewer. */
const every = everyNth({ quick: 75, ci: 8, long: 1 })
const everyFirst = everyNth({ quick: 22, ci: 1 })
const many = times({ quick: 0, ci: 10, long: 20 })
const firstCalls = 45

let worker: Worker
beforeAll(() => {
  worker = new Worker(new URL('children/standing-writer.ts', import.meta.url), {
    execArgv: ['--conditions=@loader/source'],
  })
})
afterAll(async () => {
  await worker.terminate()
})

/** What the new owner does while the old one stands still, and what once the old one has gone on to its end. */
type Successor = (claim: Claim, store: FileSessionStore) => Promise<(() => Promise<void>) | undefined>

interface Round {
  readonly directory: string
  readonly report: Report
  /** The events that the new owner was told are stored, as they are written. */
  readonly stored: ReadonlyMap<number, string>
  readonly wasTaken: boolean
}

interface Setting {
  readonly commit: CommitMode
  readonly expect: 'new' | 'existing'
  readonly successor: Successor
}

/** Runs the old owner up to a call, lets the new one work, and then the old one go on. */
async function round(directory: string, stopBefore: number, { commit, expect, successor }: Setting): Promise<Round> {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const next = async () => ((await once(worker, 'message')) as [Report | Standing])[0]
  worker.postMessage({ directory, commit, expect, stopBefore, signal } satisfies Task)
  const first = await next()
  const stored = new Map<number, string>()
  if (first.kind === 'report') return { directory, report: first, stored, wasTaken: false }
  const { wasTaken, afterwards } = await takeOver(directory, stored, successor)
  const last = next()
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
  const report = await last
  if (report.kind !== 'report') throw new Error('It stood still twice.')
  await afterwards?.()
  return { directory, report, stored, wasTaken }
}

function newStore(directory: string, pid = 102): FileSessionStore {
  const self = { pid, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  return new FileSessionStore(
    { directory },
    { rotateAfterBytes: scriptRotation, processes: { self, stateOf: () => 'alive' } },
  )
}

async function takeOver(
  directory: string,
  stored: Map<number, string>,
  successor: Successor,
): Promise<{ wasTaken: boolean; afterwards?: (() => Promise<void>) | undefined }> {
  const store = newStore(directory)
  const claim = await store.claim('one', { owner, expect: 'existing', takeover: true }).catch((error: unknown) => {
    // The old owner has not begun yet.
    if (LoaderError.is(error, 'session_not_found')) return undefined
    throw error
  })
  if (claim === undefined) return { wasTaken: false }
  return { wasTaken: true, afterwards: await successor({ ...claim, writer: noting(claim.writer, stored) }, store) }
}

function noting(writer: Claim['writer'], stored: Map<number, string>): Claim['writer'] {
  return {
    id: writer.id,
    epoch: writer.epoch,
    blobs: writer.blobs,
    append: async (events, level) => {
      await writer.append(events, level)
      for (const event of events) stored.set(event.seq, JSON.stringify(event))
    },
    save: (state, options) => writer.save(state, options),
    release: () => writer.release(),
  }
}

async function appendSome({ writer, state, events }: Claim, count: number): Promise<SessionState> {
  let known = fold(events, state) as SessionState
  for (let index = 0; index < count; index += 1) {
    const event = eventBy('new', known.seq + 1)
    await writer.append([event], 'flush')
    known = reduce(known, event)
  }
  return known
}

async function linesOf(store: FileSessionStore): Promise<string[]> {
  const lines: string[] = []
  for await (const event of store.read('one')) lines.push(JSON.stringify(event))
  return lines
}

const successors: Readonly<Record<string, Successor>> = {
  'appends, and is cut off': async (claim) => {
    await appendSome(claim, 2)
    return undefined
  },
  'seals, saves and gives it free': async (claim) => {
    const state = await appendSome(claim, 8)
    await claim.writer.save(state)
    await claim.writer.release()
    return undefined
  },
}

const quietSuccessors: Readonly<Record<string, Successor>> = {
  'writes nothing until the other has gone on': async (claim) => async () => {
    const state = await appendSome(claim, 2)
    await claim.writer.save(state)
    await claim.writer.release()
  },
  'writes nothing, and gives it free': async (claim) => {
    await claim.writer.release()
    return undefined
  },
}

/** A session that nobody holds, with a segment and a live log, saved at its end. */
async function leaveInOrder(directory: string): Promise<void> {
  const claim = await newStore(directory, 100).claim('one', { owner, expect: 'new' })
  await claim.writer.append([opened('one')], 'flush')
  const state = await appendSome({ ...claim, events: [opened('one')] }, 8)
  await claim.writer.save(state)
  await claim.writer.release()
}

/** A session that nobody holds, with a segment, a live log and an unfinished write behind it. */
async function leaveSession(directory: string): Promise<void> {
  const store = newStore(directory, 100)
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  await writer.append([opened('one')], 'flush')
  for (let seq = 2; seq <= 9; seq += 1) await writer.append([eventBy('first', seq)], 'flush')
  await writer.release()
  const journal = join(directory, 'one.journal.jsonl')
  const bytes = readFileSync(journal)
  bytes.write('["00000000",1,10,9,{"type":"cut', bytes.findLastIndex((byte) => byte !== 10) + 2)
  writeFileSync(journal, bytes)
}

async function explore(
  setting: Setting,
  prepare: (directory: string) => Promise<void>,
  { upTo = Number.POSITIVE_INFINITY, step = every } = {},
): Promise<number> {
  await using workspace = await temporaryWorkspace()
  const count = { stops: 0, taken: 0, fenced: 0 }
  for (let stop = 1; stop <= upTo; stop += step) {
    const directory = workspace.path(`at-${stop}`)
    await prepare(directory)
    const result = await round(directory, stop, setting)
    const { stoppedBefore, outcomes } = result.report
    if (stoppedBefore === undefined) break
    count.stops += 1
    await requireNothingLost(result, `it stopped before call ${stop}: ${stoppedBefore}`)
    if (result.wasTaken) count.taken += 1
    if (result.wasTaken && outcomes.includes('writer_fenced')) count.fenced += 1
  }
  console.log(`${count.stops} stops, ${count.taken} takeovers, ${count.fenced} stopped by themselves`)
  return count.taken
}

async function requireNothingLost({ directory, report, stored, wasTaken }: Round, where: string): Promise<void> {
  const { outcomes, acknowledged } = report
  const claiming = { owner, expect: 'existing', takeover: true } as const
  const { writer, state, events } = await newStore(directory, 103).claim('one', claiming)
  const lines = await linesOf(newStore(directory, 103))
  expect(fold(events, state)?.seq, `when ${where}`).toBe(lines.length)
  for (const [seq, line] of stored) expect(lines[seq - 1], `when ${where}`).toBe(line)
  for (const line of acknowledged) expect(lines, `when ${where}`).toContain(line)
  // A claim may also come too late.
  const expected = new Set(['ok', 'writer_fenced', outcomes[0] === 'session_busy' ? 'session_busy' : 'ok'])
  expect(
    outcomes.filter((outcome) => !(wasTaken ? expected.has(outcome) : outcome === 'ok')),
    `when ${where}`,
  ).toEqual([])
  await writer.release()
  expect(
    readdirSync(directory).filter((name) => name.endsWith('.tmp')),
    `when ${where}`,
  ).toEqual([])
}

describe.each<CommitMode>(sample(['pool', 'inline'], { quick: 1 }))(
  'a writer that stands still while it is displaced (%s)',
  (commit) => {
    describe.each(sample(Object.entries({ ...successors, ...quietSuccessors }), { quick: 2 }))(
      'by one that %s',
      (_name, successor) => {
        test('harms nothing when it goes on, wherever in its life it stood', { timeout: 3_600_000 }, async () => {
          expect(await explore({ commit, expect: 'new', successor }, async () => undefined)).toBeGreaterThan(many)
        })

        test('nor when it had found the session as its last save left it', { timeout: 3_600_000 }, async () => {
          const setting = { commit, expect: 'existing', successor } as const
          const taken = await explore(setting, leaveInOrder, { upTo: firstCalls, step: everyFirst })
          expect(taken).toBeGreaterThan(many)
        })
      },
    )

    describe.each(Object.entries(successors))('by one that %s', (_name, successor) => {
      test('harms nothing either when it stood in the middle of a claim', { timeout: 3_600_000 }, async () => {
        expect(await explore({ commit, expect: 'existing', successor }, leaveSession)).toBeGreaterThan(many)
      })
    })

    test('does not bring a session back that was deleted meanwhile', { timeout: 3_600_000 }, async () => {
      await using workspace = await temporaryWorkspace()
      const successor: Successor = async (claim, store) => {
        await claim.writer.release()
        await store.delete('one')
        return undefined
      }
      let taken = 0
      for (let stop = 1; ; stop += every) {
        const { directory, report, wasTaken } = await round(workspace.path(`at-${stop}`), stop, {
          commit,
          expect: 'new',
          successor,
        })
        if (report.stoppedBefore === undefined) break
        if (!wasTaken) continue
        taken += 1
        const where = `it stopped before call ${stop}: ${report.stoppedBefore}`
        const store = newStore(directory, 103)
        expect((await store.list()).rows, `when ${where}`).toEqual([])
        expect((await store.list({ check: true })).rows, `when ${where}`).toEqual([])
        const again = await store.claim('one', { owner, expect: 'existing' }).catch((error: unknown) => error)
        expect(LoaderError.is(again, 'session_not_found'), `${where}: ${String(again)}`).toBe(true)
      }
      expect(taken).toBeGreaterThan(many)
    })
  },
)
