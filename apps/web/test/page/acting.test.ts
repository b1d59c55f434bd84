import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMeant, readingMs } from '../../src/page/model/guard.ts'
import { newlyWaiting } from '../../src/page/model/notifications.ts'
import type { WaitsFor } from '../../src/protocol.ts'

test('an answer counts only when its question could be read, and no other key came just before', () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(5_000), fc.option(fc.nat(5_000)), (now, stillSince, keyBefore) => {
      const meant = isMeant({ now, stillSince, ...(keyBefore !== null && { keyBefore }) })
      expect(meant).toBe(now - stillSince >= readingMs && (keyBefore === null || now - keyBefore >= readingMs))
    }),
  )
})

test('of each question is told once, and of none that was there at first', () => {
  const told: string[] = []
  const hear = newlyWaiting((id, _title, what) => told.push(`${id} ${what}`))
  const list = (rows: readonly (readonly [id: string, seq: number, waits?: WaitsFor])[]) =>
    hear({
      sessions: rows.map(([id, seq]) => ({ id, seq, title: id }) as never),
      waiting: Object.fromEntries(rows.flatMap(([id, , waits]) => (waits === undefined ? [] : [[id, waits]]))),
    })
  list([
    ['a', 5, 'permit'],
    ['b', 3],
    ['constructor', 1],
  ])
  expect(told).toEqual([])
  list([
    ['a', 5, 'permit'],
    ['b', 4, 'question'],
    ['constructor', 1],
  ])
  list([
    ['a', 5, 'permit'],
    ['b', 4, 'question'],
    ['constructor', 1],
  ])
  expect(told).toEqual(['b question'])
  // Answered, and asked again.
  list([
    ['a', 7],
    ['b', 4, 'question'],
  ])
  list([
    ['a', 9, 'plan'],
    ['b', 4, 'question'],
  ])
  expect(told).toEqual(['b question', 'a plan'])
})
