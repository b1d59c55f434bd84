import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fold,
  gapsOf,
  isSessionEvent,
  type Message,
  pairingFault,
  parseEvent,
  parseState,
  reduce,
  type SessionState,
  type StoredEvent,
  tellsOfGap,
  transcript,
  turnEnds,
  unansweredCalls,
} from '../src/index.ts'
import { randomHistory } from './random-history.ts'

const runs = times({ quick: 100, ci: 400, long: 5000 })
const histories = fc.array(fc.nat(1000), { minLength: 20, maxLength: 240 }).map(randomHistory)
const gaps = fc.array(fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 6 }) }), {
  minLength: 1,
  maxLength: 3,
})

type Gaps = readonly { readonly at: number; readonly length: number }[]

/** The history as a reading has it, with events that are lost. */
function withLost(events: readonly StoredEvent[], where: Gaps): StoredEvent[] {
  const lost = new Set(
    where.flatMap(({ at, length }) => Array.from({ length }, (_none, index) => 1 + ((at + index) % events.length))),
  )
  return events.map((event) => {
    if (!lost.has(event.seq)) return event
    let [first, last] = [event.seq, event.seq]
    while (lost.has(first - 1)) first -= 1
    while (lost.has(last + 1)) last += 1
    const { seq, at } = event
    return parseEvent({ type: 'event.lost', seq, at, first, last, ...(seq === 1 && { id: 'ses_random' }) })
  })
}

const isLost = (id: string) => id.startsWith('lost_')

const lostWords = '[The words of the user cannot be read.]'

/** What a message says, without calls and their results. */
function words(message: Pick<Message, 'content'> | undefined): unknown[] {
  return (message?.content ?? []).filter((part) => part.type !== 'call' && part.type !== 'result')
}

/** What users and models said, whatever became of it: an input that no turn took, an answer that was a plan. */
function sayings(events: readonly StoredEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event): [string, string][] => {
      if (!isSessionEvent(event)) return []
      if (event.type === 'input.queued') return [[event.inputId, JSON.stringify([{ type: 'text', text: event.text }])]]
      if (event.type === 'workflow.decided' && event.note !== undefined)
        return [[event.entry.id, JSON.stringify([{ type: 'text', text: event.note }])]]
      // A turn that ends in a gap makes room for words that would still wait.
      if (event.type === 'hook.ended' && event.context !== undefined)
        return [[`${event.id}_told`, JSON.stringify([{ type: 'text', text: `[HOOK ${event.hook}] ${event.context}` }])]]
      if (event.type === 'background.ended' && event.note !== undefined)
        return [[`${event.id}_ended_${event.seq}`, JSON.stringify([{ type: 'text', text: event.note }])]]
      // Where the request is lost, so is what it was for: then a plan that was cut off is shown as an answer.
      if (event.type === 'answer.progressed') return [[event.requestId, '']]
      return event.type === 'model.answered' ? [[event.requestId, JSON.stringify(words(event))]] : []
    }),
  )
}

describe('a history with gaps', () => {
  test('folds, to a state that can be saved and go on', () => {
    fc.assert(
      fc.property(histories, gaps, (events, where) => {
        const state = fold(withLost(events, where)) as SessionState
        expect(state.seq).toBe(events.length)
        expect(parseState(JSON.parse(JSON.stringify(state))).gaps?.open).toBe(true)
        expect(pairingFault(state.messages, new Set(unansweredCalls(state.turn).map(({ call }) => call.id)))).toBe(
          undefined,
        )
      }),
      { numRuns: runs },
    )
  })

  test('shows each message as it was, and stands in for what is lost with words that say so', () => {
    fc.assert(
      fc.property(histories, gaps, (events, where) => {
        const whole = new Map(transcript(events).map(({ message }) => [message.id, message]))
        const said = sayings(events)
        for (const { message } of transcript(withLost(events, where))) {
          const shown = JSON.stringify(words(message))
          if (shown === '[]') continue
          if (isLost(message.id) || shown.includes(lostWords)) expect(shown).toContain('cannot be read')
          else if (message.interrupted) expect(whole.has(message.id) || said.has(message.id)).toBe(true)
          else expect([JSON.stringify(words(whole.get(message.id))), said.get(message.id)]).toContain(shown)
        }
      }),
      { numRuns: runs },
    )
  })

  test('shows every answer and every result that is intact', () => {
    fc.assert(
      fc.property(histories, gaps, (events, where) => {
        const whole = new Map(transcript(events).map(({ message }) => [message.id, message]))
        const damaged = withLost(events, where)
        const shown = new Map(transcript(damaged).map(({ message }) => [message.id, message]))
        for (const event of damaged) {
          if (!isSessionEvent(event)) continue
          if (event.type === 'tool.finished') {
            const { callId, outcome, text } = event
            expect(shown.get(callId)?.content).toMatchObject([{ type: 'result', callId, outcome, text }])
          }
          if (event.type !== 'model.answered' || !whole.has(event.requestId)) continue
          expect(shown.has(event.requestId)).toBe(true)
        }
      }),
      { numRuns: runs },
    )
  })

  test('is told to the model, at the first place where a message may stand', () => {
    fc.assert(
      fc.property(histories, gaps, (events, where) => {
        const damaged = withLost(events, where)
        const isTold = transcript(damaged).some(({ message }) => tellsOfGap(message))
        expect(isTold || fold(damaged)?.gaps?.untold !== undefined).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  test('has a turn end for every one that is intact, by the same name', () => {
    fc.assert(
      fc.property(histories, gaps, (events, where) => {
        const damaged = withLost(events, where)
        const ends = turnEnds(damaged)
        for (const event of damaged) {
          if (!isSessionEvent(event) || event.type !== 'turn.finished') continue
          expect(ends.find(({ seq }) => seq === event.seq)?.turn).toMatchObject({
            id: event.turnId,
            reason: event.reason,
          })
        }
        for (const { seq, turn } of ends) {
          const event = damaged[seq - 1] as StoredEvent
          expect(event.type === 'turn.finished' || turn.reason === 'lost').toBe(true)
        }
      }),
      { numRuns: runs },
    )
  })

  test('is as strict as ever once a writer knows of them', () => {
    fc.assert(
      fc.property(histories, gaps, (events, where) => {
        const state = fold(withLost(events, where)) as SessionState
        const at = state.updatedAt
        const owner = { type: 'Agent', path: 'public-agent' }
        const claimed = parseEvent({
          type: 'session.claimed',
          seq: state.seq + 1,
          at,
          epoch: state.epoch + 1,
          owner,
          knowsGaps: true,
        })
        const known = reduce(state, claimed)
        expect(() =>
          reduce(known, parseEvent({ type: 'tool.started', seq: known.seq + 1, at, callId: 'none' })),
        ).toThrow('cannot be recorded')
      }),
      { numRuns: runs },
    )
  })

  test('names its gaps, with the events around them', () => {
    const events = randomHistory(Array.from({ length: 60 }, (_none, index) => index * 7))
    const damaged = withLost(events, [
      { at: 4, length: 3 },
      { at: 20, length: 1 },
    ])
    expect(gapsOf(damaged)).toMatchObject([
      {
        first: 5,
        last: 7,
        bytes: null,
        before: { seq: 4, type: events[3]?.type },
        after: { seq: 8, type: events[7]?.type },
      },
      { first: 21, last: 21, before: { seq: 20 }, after: { seq: 22 } },
    ])
    expect(gapsOf(withLost(events, [{ at: 0, length: 2 }]))).toMatchObject([
      { first: 1, last: 2, before: null, after: { seq: 3 } },
    ])
    expect(gapsOf(events)).toEqual([])
  })
})
