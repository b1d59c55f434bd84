import fc from 'fast-check'
import { parseEvent, type StoredEvent } from '@loader/session-core'
import { expect, test } from 'vitest'
import { Pieces } from '../../src/page/model/pieces.ts'

test('the compact form of an event reads as the event', () => {
  const words = fc.oneof(fc.record({ text: fc.string() }), fc.record({ reasoning: fc.string() }), fc.constant({}))
  const piece = fc
    .tuple(words, fc.constantFrom('req_1', 'req_2'), fc.constantFrom({}, { later: 1 }), fc.nat(9e12))
    .map(([said, requestId, more, at]) => ({
      type: 'answer.progressed',
      at: new Date(at).toISOString(),
      requestId,
      ...said,
      ...more,
    }))
  const other = fc.constant({ type: 'session.titled', at: '2026-01-01T00:00:00.000Z', title: 'A', by: 'user' })
  fc.assert(
    fc.property(fc.array(fc.oneof({ arbitrary: piece, weight: 6 }, other), { maxLength: 40 }), (some) => {
      const events: StoredEvent[] = some.map((event, index) => parseEvent({ ...event, seq: index + 1 }))
      const pieces = new Pieces()
      const kept = events.map((event) => pieces.kept(event))
      expect(JSON.parse(JSON.stringify(kept))).toEqual(events)
      for (const [index, event] of events.entries())
        for (const [name, value] of Object.entries(event)) expect(Reflect.get(kept[index] ?? {}, name)).toEqual(value)
    }),
  )
})
