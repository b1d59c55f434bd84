import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRoute, type Route, views, writeRoute } from '../../src/page/model/route.ts'

const routes: fc.Arbitrary<Route> = fc.record({
  session: fc.string({ minLength: 1, unit: 'grapheme' }),
  list: fc.constant('sessions'),
  view: fc.constantFrom(...views),
  seq: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  item: fc.option(fc.string({ unit: 'grapheme' })),
})

test('every place of the page has an address that leads there', () => {
  fc.assert(
    fc.property(routes, (route) => {
      expect(readRoute(writeRoute(route))).toEqual(route)
    }),
  )
  const fleet: Route = { session: null, list: 'fleet', view: 'conversation', seq: null, item: null }
  expect(readRoute(writeRoute(fleet))).toEqual(fleet)
})

test('what is no address of the page is the list of sessions', () => {
  for (const fragment of ['', '#', '#/', '#token=abc', '#/s/', '#/x/ses_1/truth']) {
    expect(readRoute(fragment).session).toBeNull()
  }
  expect(readRoute('#/s/%E0%A4%A/truth?at=-1')).toEqual({
    session: '%E0%A4%A',
    list: 'sessions',
    view: 'truth',
    seq: null,
    item: null,
  })
  expect(readRoute('#/s/ses_1/nonsense?at=x')).toEqual({
    session: 'ses_1',
    list: 'sessions',
    view: 'conversation',
    seq: null,
    item: null,
  })
})
