import { MemoryStore, readSession, Session } from '@loader/session-core'
import { expect, test } from 'vitest'
import { fixedEnvironment } from '../src/index.ts'

test('a fixed environment ticks and counts the same in every run', () => {
  const [one, other] = [fixedEnvironment(), fixedEnvironment()]
  expect([one.now(), one.now(), one.newId('turn'), one.newId('req')]).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:01.000Z',
    'turn_1',
    'req_2',
  ])
  expect(other.now()).toBe('2026-01-01T00:00:00.000Z')
  other.advance(60_000)
  expect(other.now()).toBe('2026-01-01T00:01:01.000Z')
})

test('one that goes on after a history repeats neither its times nor its ids', async () => {
  const store = new MemoryStore()
  const session = await Session.open(store, { environment: fixedEnvironment() })
  await session.append({ type: 'input.queued', inputId: 'in_7', text: 'Hi' })
  await session.close()
  const { history } = await readSession(store, session.id)
  const next = fixedEnvironment({ after: history })
  expect(next.newId('in')).toBe('in_8')
  expect(next.now() > (history.at(-1)?.at ?? '')).toBe(true)
})
