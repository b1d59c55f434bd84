import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromCi, times } from '@loader/test-tier'
import { PostgresSessionStore } from '../src/index.ts'
import { WriterProcess } from './child.ts'
import { opened } from './events.ts'
import { type Server, sharedServer } from '@loader/test-postgres'

const owner = { type: 'Agent', path: 'public-agent' }
const shortLease = 1_000
/** Longer than any test. */
const longLease = 3_600_000

describe.runIf(fromCi)('workers of one session', () => {
  let server: Server
  beforeAll(async () => {
    server = await sharedServer()
  })

  async function scene(work: (scene: { tenant: string; store: PostgresSessionStore }) => Promise<void>): Promise<void> {
    const tenant = randomUUID()
    const store = new PostgresSessionStore(server.address, { tenant })
    try {
      const { writer } = await store.claim('one', { owner, expect: 'new' })
      await writer.append([opened('one')], 'flush')
      await writer.release()
      await work({ tenant, store })
    } finally {
      await store.close()
    }
  }

  /**
   * Starts one, again and again until it has the session: before, the lease of another one is not over, or its own was over
   * before it came to write, on a machine that is busy.
   */
  async function working(tenant: string, leaseMs = shortLease): Promise<WriterProcess> {
    for (;;) {
      const worker = new WriterProcess([server.address, tenant, 'one', String(leaseMs)])
      await expect.poll(() => worker.acknowledged > 0 || worker.end !== undefined).toBe(true)
      if (worker.end === undefined) return worker
      expect(worker.end).toMatch(/^ended (session_busy|writer_fenced)$/)
    }
  }

  /** Whether it has stored more, or lost the session because it did not come to renew its lease. */
  const isPast = (worker: WriterProcess, seq: number) =>
    worker.acknowledged > seq || worker.end === 'ended writer_fenced'

  test('one that is paused for longer than its lease writes nothing more, and the next one goes on', async () => {
    await scene(async ({ tenant, store }) => {
      for (let rounds = 0; rounds < times({ quick: 1, ci: 3, long: 20 }); rounds += 1) {
        const paused = await working(tenant)
        paused.signal('SIGSTOP')
        const next = await working(tenant)
        const seen = next.acknowledged
        paused.signal('SIGCONT')
        await expect.poll(() => paused.end).toBe('ended writer_fenced')
        await expect.poll(() => isPast(next, seen + 5)).toBe(true)
        next.signal('SIGKILL')
        await Promise.all([paused.ended, next.ended])
        await requireWhole(store, Math.max(paused.acknowledged, next.acknowledged))
      }
    })
  })

  test('those that are killed leave what was acknowledged, and a session that is free when the lease is over', async () => {
    await scene(async ({ tenant, store }) => {
      let acknowledged = 1
      for (let kills = 0; kills < times({ quick: 2, ci: 6, long: 100 }); kills += 1) {
        const worker = await working(tenant)
        await expect.poll(() => isPast(worker, acknowledged + 3)).toBe(true)
        worker.signal('SIGKILL')
        await worker.ended
        acknowledged = worker.acknowledged
        await requireWhole(store, acknowledged)
      }
    })
  })

  test('one whose clock is a day ahead takes nothing from a living one', async () => {
    await scene(async ({ tenant }) => {
      const worker = await working(tenant, longLease)
      const ahead = new WriterProcess([server.address, tenant, 'one', String(longLease), '+day'])
      await ahead.ended
      expect(ahead.end).toBe('ended session_busy')
      const seen = worker.acknowledged
      await expect.poll(() => worker.acknowledged > seen + 5).toBe(true)
      worker.signal('SIGKILL')
      await worker.ended
    })
  })
})

/** Every event once, and all that was acknowledged. */
async function requireWhole(store: PostgresSessionStore, acknowledged: number): Promise<void> {
  const seqs: number[] = []
  for await (const { seq } of store.read('one')) seqs.push(seq)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  expect(seqs.length).toBeGreaterThanOrEqual(acknowledged)
}
