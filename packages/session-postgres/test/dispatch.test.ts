import { randomUUID } from 'node:crypto'
import { type Server, sharedServer } from '@loader/test-postgres'
import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { Dispatch } from '../src/dispatch/index.ts'
import { PostgresSessionStore } from '../src/index.ts'
import { dispatchClauses } from './dispatch-clauses.ts'
import { opened, titled } from './events.ts'
import { type Sending, withLeaseScene } from './lease-scene.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

describe('the line in which sessions wait for workers', () => {
  for (const [name, run] of Object.entries(dispatchClauses))
    test(name, () => expect(withLeaseScene(server.address, run)).resolves.toBeUndefined())
})

const skipping = 'for no key update of w, s skip locked'
/** Lines that are wrong in one way, and the clauses that notice. */
const wrong: Readonly<Record<string, { readonly change: (text: string) => string; readonly noticed: string }>> = {
  'leases are not looked at': {
    change: (text) => text.replaceAll(/\(s\.token is null or s\.lease_until <= [\w.]+\(\)\)/g, 'true'),
    noticed: 'a session is given to one worker at a time, and to nobody while it is held',
  },
  'rows are not locked': {
    change: (text) => text.replace(skipping, '').replace(/and \(w\.taken_until is null[^)]*\(\)\)/, ''),
    noticed: 'a session is given to one worker at a time, and to nobody while it is held',
  },
  'kills are not counted': {
    change: (text) => text.replaceAll('kills = w.kills + 1, ', ''),
    noticed: 'a session that has killed three workers in a row is parked, and taken again when somebody says so',
  },
  'nobody is parked': {
    change: (text) => text.replace('w.kills >= $2', '$2::int < 0'),
    noticed: 'a session that has killed three workers in a row is parked, and taken again when somebody says so',
  },
  'a return in order does not end the row': {
    change: (text) => text.replaceAll('set kills = 0, taken_by', 'set taken_by'),
    noticed: 'a worker that gives a session back in order, or leaves it, was not killed by it',
  },
  'what is waited for is not noted': {
    change: (text) => text.replace('seen_seq = ours.head_seq, ', ''),
    noticed: 'a session that waits for an answer is taken when it has one, whoever stored it',
  },
  'the claim is not looked at': {
    change: (text) => text.replaceAll('and epoch = $3 and token is not null', 'and $3::bigint > 0'),
    noticed: 'a worker that was displaced takes no session out of the line',
  },
}

describe('a line is noticed in which', () => {
  for (const [name, { change, noticed }] of Object.entries(wrong)) {
    test(name, async () => {
      let isChanged = false
      const sending: Sending = (client: pg.PoolClient, { text, values }) => {
        const sent = change(text)
        isChanged ||= sent !== text
        return client.query({ text: sent, values })
      }
      const run = dispatchClauses[noticed]
      if (run === undefined) throw new Error(`There is no clause ${noticed}`)
      await expect(withLeaseScene(server.address, run, { sending })).rejects.toThrow(/\S/)
      expect(isChanged).toBe(true)
    })
  }
})

test('of 200 sessions with 1 to 5 turns each, none starves with 4 workers, and each turn is worked on once', async () => {
  const tenant = randomUUID()
  await using store = new PostgresSessionStore(server.address, { tenant })
  const dispatch = new Dispatch(store)
  const owner = { type: 'Agent', path: 'worker' }
  const turns = new Map<string, number>()
  await Promise.all(
    Array.from({ length: 200 }, async (_unused, index) => {
      const id = `ses_${String(index).padStart(3, '0')}`
      turns.set(id, 1 + (index % 5))
      const { writer } = await store.claim(id, { owner, expect: 'new' })
      await writer.append([opened(id)], 'flush')
      await dispatch.offer(id, writer.epoch)
      await writer.release()
    }),
  )
  const order: string[] = []
  const inHand = new Set<string>()
  const work = async (name: string): Promise<void> => {
    for (let next = await dispatch.take(name); next !== undefined; next = await dispatch.take(name)) {
      const { id } = next
      const { writer, events, state } = await store.claim(id, { owner, expect: 'existing' })
      expect(inHand.has(id)).toBe(false)
      inHand.add(id)
      await dispatch.begin(name, id, writer.epoch)
      order.push(id)
      await writer.append([titled((state?.seq ?? 0) + events.length + 1)], 'flush')
      const left = (turns.get(id) ?? 0) - 1
      turns.set(id, left)
      inHand.delete(id)
      await dispatch.settle(id, writer.epoch, left === 0 ? { kind: 'done' } : { kind: 'open', last: true })
      await writer.release()
    }
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(work))
  expect([...turns.values()].every((left) => left === 0)).toBe(true)
  expect(order).toHaveLength(600)
  // In a line, a session waits for each other one once, and for those that are slow in the hands of a busy machine. Where
  // one stays in front as long as it has work, the last one waits for 400 turns and more.
  const last = new Map<string, number>()
  const waits = order.map((id, place) => {
    const before = last.get(id) ?? 0
    last.set(id, place)
    return place - before
  })
  expect(Math.max(...waits)).toBeLessThanOrEqual(300)
})
