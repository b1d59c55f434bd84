import * as fc from 'fast-check'
import { times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { eventParser } from '../../src/page/connection/server-events.ts'
import { frame } from '../../src/server/streams/frames.ts'

test('what the server sends is what the page reads, whatever is in it and wherever it is cut', () => {
  const one = fc.record({
    name: fc.constantFrom(undefined, 'live'),
    id: fc.option(fc.nat(), { nil: undefined }),
    data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  })
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\u2028 \u2029 \r\n\n id: 1 \u0085 \ud800'))
  fc.assert(
    fc.property(fc.array(fc.tuple(one, text), { maxLength: 5 }), fc.array(fc.nat({ max: 60 })), (sent, cuts) => {
      const events = sent.map(([{ name, id, data }, said]) => ({ name, id, data: { data, said } }))
      let rest = events
        .map(({ name, id, data }) => frame(data, { ...(name && { name }), ...(id !== undefined && { id }) }))
        .join('')
      const parse = eventParser()
      const read = []
      for (const cut of [...cuts, rest.length]) {
        read.push(...parse(rest.slice(0, cut)))
        rest = rest.slice(cut)
      }
      const expected = events.map(({ name = 'message', id, data }) => ({
        name,
        id: id === undefined ? undefined : String(id),
        data: JSON.stringify(data),
      }))
      expect(read).toEqual(expected)
    }),
    { numRuns: times({ quick: 40, ci: 100, long: 20_000 }) },
  )
})
