import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  eventTypes,
  fold,
  LoaderError,
  pairingFault,
  parseEvent,
  parseState,
  reduce,
  type SessionState,
  type StoredEvent,
  unansweredCalls,
} from '../src/index.ts'
import { knownTypes, randomHistory } from './random-history.ts'

const runs = times({ quick: 100, ci: 300, long: 3000 })
const histories = fc.array(fc.nat(1000), { minLength: 20, maxLength: 240 }).map(randomHistory)

const written = (state: SessionState): unknown => JSON.parse(JSON.stringify(state))
const reread = (state: SessionState): SessionState => parseState(written(state))

function foldAll(events: readonly StoredEvent[]): SessionState {
  const state = fold(events)
  if (state === null) throw new Error('A history has at least one event.')
  return state
}

describe('folding a random valid history', () => {
  test('in one go and in pieces through JSON gives the same state', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(), { maxLength: 5 }), (events, places) => {
        const cuts = places.map((place) => 1 + (place % events.length)).sort((one, other) => one - other)
        let state = foldAll(events.slice(0, 1))
        for (const cut of [...cuts, events.length])
          state = reread(fold(events.slice(state.seq, Math.max(cut, state.seq)), state))
        expect(written(state)).toEqual(written(foldAll(events)))
      }),
      { numRuns: runs },
    )
  })

  test('from any saved state plus the rest gives the same state', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (events, place) => {
        const seq = 1 + (place % events.length)
        const saved = reread(foldAll(events.slice(0, seq)))
        expect(written(fold(events.slice(seq), saved))).toEqual(written(foldAll(events)))
      }),
      { numRuns: runs },
    )
  })

  test('never changes a state that it has left behind', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const seen: { state: SessionState; text: string }[] = []
        let state: SessionState | null = null
        for (const event of events) {
          state = reduce(state, event)
          seen.push({ state, text: JSON.stringify(state) })
        }
        for (const { state: earlier, text } of seen) expect(JSON.stringify(earlier)).toBe(text)
      }),
      { numRuns: Math.ceil(runs / 5) },
    )
  })

  test('two different futures of one state do not see each other', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (events, place) => {
        const seq = 1 + (place % events.length)
        const fork = foldAll(events.slice(0, seq))
        const first = fold(events.slice(seq), fork)
        const text = JSON.stringify(first)
        const second = fold(events.slice(seq), fork)
        expect(JSON.stringify(second)).toBe(text)
        expect(JSON.stringify(first)).toBe(text)
      }),
      { numRuns: Math.ceil(runs / 3) },
    )
  })

  test('keeps every call together with its one result', () => {
    fc.assert(
      fc.property(histories, (events) => {
        let state: SessionState | null = null
        for (const event of events) {
          state = reduce(state, event)
          const open = new Set(unansweredCalls(state.turn).map(({ call }) => call.id))
          expect(pairingFault(state.messages, open)).toBeUndefined()
        }
      }),
      { numRuns: Math.ceil(runs / 3) },
    )
  })

  test('reaches every type of event', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(histories, (events) => {
        for (const type of knownTypes(events)) seen.add(type)
      }),
      { numRuns: 500, seed: 1 },
    )
    // What stands behind lost events has properties of its own: gaps.property.test.ts.
    expect(eventTypes.filter((type) => !seen.has(type))).toEqual(['event.lost'])
  })
})

describe('a history with one field changed', () => {
  test('is refused, or folds to a valid state, and a refused event leaves the state as it was', () => {
    const outcomes = { refused: 0, folded: 0 }
    fc.assert(
      fc.property(histories, fc.nat(), fc.nat(), fc.jsonValue(), fc.boolean(), (events, place, path, value, remove) => {
        const changed = events.map((event, index) =>
          index === place % events.length ? withOneChange(event, path, remove ? undefined : value) : event,
        )
        let state: SessionState | null = null
        for (const raw of changed) {
          const before = state === null ? null : JSON.stringify(state)
          try {
            state = reduce(state, parseEvent(raw))
          } catch (error) {
            if (!LoaderError.is(error)) throw error
            outcomes.refused += 1
            expect(state === null ? null : JSON.stringify(state)).toBe(before)
            return
          }
        }
        outcomes.folded += 1
        expect(() => reread(state as SessionState)).not.toThrow()
      }),
      { numRuns: runs * 2 },
    )
    expect(outcomes.refused).toBeGreaterThan(0)
    expect(outcomes.folded).toBeGreaterThan(0)
  })
})

/** The event with one of its leaves, at any depth, replaced or taken away. */
function withOneChange(event: unknown, path: number, value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(event))
  const places = leaves(copy)
  const [parent, key] = places[path % places.length] as [Record<string, unknown>, string]
  if (value === undefined) delete parent[key]
  else parent[key] = value
  return copy
}

function leaves(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return []
  const node = value as Record<string, unknown>
  return Object.keys(node).flatMap((key): [Record<string, unknown>, string][] => [[node, key], ...leaves(node[key])])
}
