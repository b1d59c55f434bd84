import { type TwoMachines, twoMachines, whyNoCable } from '@loader/test-postgres'
import { fromCi, needing, times } from '@loader/test-tier'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PostgresSessionStore } from '../src/index.ts'
import { WriterProcess } from './child.ts'
import { opened } from './events.ts'

const owner = { type: 'Agent', path: 'public-agent' }
const withoutCable = fromCi ? whyNoCable() : 'it takes too long for the quick tier'
const isPossible = withoutCable === undefined

describe.runIf(fromCi && isPossible)(needing(withoutCable, 'the cable between two machines is pulled'), () => {
  let machines: TwoMachines
  beforeAll(async () => {
    machines = await twoMachines()
  })
  afterAll(() => machines?.[Symbol.asyncDispose]())

  /** A writer on the other machine, and the same session seen from this one. */
  async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
    const { server, cable } = machines
    const tenant = randomUUID()
    await using store = new PostgresSessionStore(server.address, { tenant })
    const { writer } = await store.claim('one', { owner, expect: 'new' })
    await writer.append([opened('one')], 'flush')
    await writer.release()
    const worker = new WriterProcess([cable.addressOf(server), tenant, 'one', '60000', '', '500'], cable.inside)
    try {
      await expect.poll(() => worker.acknowledged > 5).toBe(true)
      await work({ tenant, store, worker })
      expect(worker.end).toBeUndefined()
    } finally {
      cable.plugIn()
      worker.signal('SIGKILL')
      await worker.ended
    }
  }

  async function goesOn(worker: WriterProcess): Promise<void> {
    const seen = worker.acknowledged
    await expect.poll(() => worker.acknowledged > seen + 5).toBe(true)
  }

  test('at any moment of an append: nothing is lost, nothing doubled, and it goes on', async () => {
    await scene(async ({ store, worker }) => {
      const { cable } = machines
      for (let cuts = 0; cuts < times({ quick: 1, ci: 4, long: 100 }); cuts += 1) {
        cable.pull()
        // Sometimes before its patience with the connection is over, sometimes after.
        await new Promise((resolve) => setTimeout(resolve, (cuts % 4) * 300))
        cable.plugIn()
        await goesOn(worker)
        const { acknowledged } = worker
        expect(await lastOf(store)).toBeGreaterThanOrEqual(acknowledged)
      }
    })
  })

  test('in the middle of a commit: it is found out that the event was stored, once', async () => {
    await scene(async ({ tenant, store, worker }) => {
      const { cable, hold, untilWaiting } = machines
      for (let cuts = 0; cuts < times({ quick: 1, ci: 2, long: 30 }); cuts += 1) {
        const letGo = await hold(tenant)
        const before = await lastOf(store)
        await untilWaiting()
        cable.pull()
        await letGo()
        await expect.poll(() => lastOf(store)).toBe(before + 1)
        expect(worker.acknowledged).toBeLessThanOrEqual(before)
        cable.plugIn()
        await goesOn(worker)
        const { acknowledged } = worker
        expect(await lastOf(store)).toBeGreaterThanOrEqual(acknowledged)
      }
    })
  })
})

interface Scene {
  readonly tenant: string
  readonly store: PostgresSessionStore
  readonly worker: WriterProcess
}

/** The last event, behind all the others, and each of them once. */
async function lastOf(store: PostgresSessionStore): Promise<number> {
  const titles = new Set<string>()
  let last = 0
  for await (const event of store.read('one')) {
    expect(event.seq).toBe((last += 1))
    titles.add('title' in event ? String(event.title) : event.type)
  }
  expect(titles.size).toBe(last)
  return last
}
