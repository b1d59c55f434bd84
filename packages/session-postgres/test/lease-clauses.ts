import assert from 'node:assert/strict'
import { LoaderError, type SessionWriter } from '@loader/session-core'
import type { PostgresSessionStore, PostgresSessionStoreOptions } from '../src/index.ts'
import { systemTime } from '../src/database/time.ts'
import { opened, titled } from './events.ts'

/** One tenant of a database, for one clause. */
export interface LeaseScene {
  /** A process of its own, with a store of its own. */
  readonly store: (options?: PostgresSessionStoreOptions) => PostgresSessionStore
  /** Makes the lease of the session end now. */
  readonly endLease: (id: string) => Promise<void>
  /** How far the lease of the session goes, as the database has it. */
  readonly leaseUntil: (id: string) => Promise<number>
}

const owner = { type: 'Agent', path: 'public-agent' }
const rival = { type: 'Agent', path: 'rival-agent' }
const day = 86_400_000
const others = () => new Promise((resolve) => setTimeout(resolve, 5))

async function begin(store: PostgresSessionStore): Promise<SessionWriter> {
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  await writer.append([opened('one')], 'flush')
  return writer
}

async function assertCode(code: string, work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.then(
    () => 'it was done',
    (reason: unknown) => reason,
  )
  assert.ok(LoaderError.is(error), `${String(error)}, instead of ${code}`)
  assert.equal(error.code, code)
}

async function titlesOf(store: PostgresSessionStore): Promise<readonly string[]> {
  const titles: string[] = []
  for await (const event of store.read('one')) titles.push('title' in event ? String(event['title']) : event.type)
  return titles
}

/** A clock that goes on when it is told to. */
function clockInHand() {
  let now = 0
  const waiting = new Set<{ readonly at: number; readonly work: () => void }>()
  return {
    time: {
      now: () => now,
      after: (ms: number, work: () => void) => {
        const timer = { at: now + ms, work }
        waiting.add(timer)
        return () => void waiting.delete(timer)
      },
    },
    goOn: (ms: number) => {
      now += ms
      for (const timer of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(timer)
        timer.work()
      }
    },
  }
}

/** What a store promises whose claims end by themselves. Each rejects when the promise is broken. */
export const leaseClauses: Readonly<Record<string, (scene: LeaseScene) => Promise<void>>> = {
  'a writer whose lease is over appends nothing, also where nobody took the session': async ({ store, endLease }) => {
    const writer = await begin(store())
    await endLease('one')
    await assertCode('writer_fenced', writer.append([titled(2)], 'flush'))
    assert.equal((await titlesOf(store())).length, 1)
  },

  'a writer whose lease is over saves nothing, and keeps no long text': async ({ store, endLease }) => {
    const writer = await begin(store())
    await endLease('one')
    await assertCode('writer_fenced', writer.blobs.put('long'))
  },

  'a session whose lease is over is free for another process, and the one before is out': async (scene) => {
    const writer = await begin(scene.store())
    const other = scene.store()
    await assertCode('session_busy', other.claim('one', { owner: rival, expect: 'existing' }))
    await scene.endLease('one')
    const claim = await other.claim('one', { owner: rival, expect: 'existing' })
    await assertCode('writer_fenced', writer.append([titled(2, 'Displaced')], 'flush'))
    await claim.writer.append([titled(2, 'Rival')], 'flush')
    await claim.writer.append([titled(3, 'Rival')], 'flush')
    assert.deepEqual(await titlesOf(other), ['session.opened', 'Rival', 'Rival'])
  },

  'a lease is renewed while nothing is written': async ({ store, leaseUntil }) => {
    const { time, goOn } = clockInHand()
    const leaseMs = 60_000
    const writer = await begin(store({ time, leaseMs }))
    const first = await leaseUntil('one')
    let until = first
    // For longer than it holds, and each time until the database has been asked for more, or had time to be.
    for (let steps = 0; steps < 14; steps += 1) {
      goOn(leaseMs / 12)
      const before = until
      for (let looks = 0; looks < 10 && until === before; looks += 1) {
        await others()
        until = await leaseUntil('one')
      }
      assert.equal(writer.lost?.aborted, false, 'it was not renewed in time')
    }
    assert.ok(until > first, 'the database does not know of it')
    await writer.append([titled(2)], 'flush')
  },

  'a process whose clock is a day ahead takes nothing from a living one': async ({ store }) => {
    await begin(store())
    const ahead = store({ time: { ...systemTime, now: () => Date.now() + day } })
    await assertCode('session_busy', ahead.claim('one', { owner: rival, expect: 'existing' }))
  },

  'a process whose clock is a day behind does not keep what its lease has lost': async (scene) => {
    const behind = await begin(scene.store({ time: { ...systemTime, now: () => Date.now() - day } }))
    await scene.endLease('one')
    await assertCode('writer_fenced', behind.append([titled(2)], 'flush'))
  },

  'what was sent before a takeover, and comes after it, is not in the way': async ({ store }) => {
    const writer = await begin(store())
    const other = store()
    const late = writer.append([titled(2, 'Late')], 'flush').then(
      () => true,
      () => false,
    )
    const claim = await other.claim('one', { owner: rival, expect: 'existing', takeover: true })
    const next = (claim.events.at(-1)?.seq ?? claim.state?.seq ?? 0) + 1
    const wasStored = await late
    await claim.writer.append([titled(next, 'Rival')], 'flush')
    const titles = await titlesOf(other)
    assert.equal(titles.at(-1), 'Rival')
    assert.equal(titles.includes('Late'), wasStored)
  },

  'a watcher sees every event once and in order, whichever hints are lost': async ({ store }) => {
    const writer = await begin(store())
    const seen: number[] = []
    const watched = (async () => {
      for await (const item of store({ pollMs: 20 }).watch('one')) {
        if (item.kind === 'event' && seen.push(item.event.seq) === 6) return 'seen'
      }
      return 'ended'
    })()
    // Where the store is wrong, it may fail before it is waited for.
    watched.catch(() => {})
    for (const seq of [2, 3, 4, 5, 6]) {
      await writer.append([titled(seq)], 'flush')
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    // A watcher that looks every 20 ms has looked again by the time that another one has read so often.
    const reader = store()
    const silence = async () => {
      for (let reads = 0; reads < 100; reads += 1) {
        await titlesOf(reader)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return 'nothing more came'
    }
    assert.equal(await Promise.race([watched, silence()]), 'seen')
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6])
  },
}
