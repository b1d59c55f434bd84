import { times } from '@loader/test-tier'
import * as fc from 'fast-check'
import { assert, expect, test } from 'vitest'
import { pairingFault, type SessionState, textOf, unansweredCalls } from '@loader/session-core'
import { messageFaults } from '@loader/test-harness'
import { compactLocally, messagesTokens, planCompaction } from '../src/index.ts'
import { compactionMarker, isSummary } from '../src/summary-message.ts'
import { play, randomTurns } from './random-session.ts'
import { asSent, Recorder } from './recorder.ts'

const dialects = ['openai', 'anthropic', 'ollama'] as const
const runs = { numRuns: times({ quick: 30, ci: 300, long: 3000 }) }

test('a compaction splits no pair, keeps the newest in order, and shrinks by a quarter', () => {
  const seen = { compacted: 0, waiting: 0, alsoKept: 0, nothing: 0 }
  const property = fc.property(randomTurns, fc.nat(6), fc.nat(7), (turns, keepLast, every) => {
    const recorder = new Recorder()
    // A history that begins with a blank message of the user has a fault of its own.
    recorder.say('Begin.', 'Here we go.')
    let chances = 0
    play(recorder, turns, () => {
      chances += 1
      if (chances % (every + 1) !== 0) return
      const before = recorder.state
      const plan = planCompaction(before, { keepLast })
      if (plan === null) {
        seen.nothing += 1
        expectNothingToGain(before, keepLast)
        return
      }
      const event = compactLocally(before, plan, { messageId: recorder.newId('sum') })
      recorder.record(event)
      assert(event.type === 'context.compacted', 'a local summary fits where a plan was made')
      seen.compacted += 1
      seen.alsoKept += event.alsoKept === undefined ? 0 : 1
      seen.waiting += unansweredCalls(before.turn).length > 0 ? 1 : 0
      expectSound(before, recorder.state, keepLast)
      expect(event.tokensAfter).toBe(messagesTokens(recorder.state.messages))
      expect(event.tokensAfter).toBeLessThanOrEqual(0.75 * event.tokensBefore)
    })
    for (const dialect of dialects) expect(messageFaults(asSent(recorder.window), dialect)).toEqual([])
  })
  fc.assert(property, runs)
  console.log('compactions over random histories:', JSON.stringify(seen))
  for (const count of [seen.compacted, seen.waiting, seen.alsoKept, seen.nothing])
    expect(count).toBeGreaterThan(times({ quick: 1, ci: 20 }))
})

test('five compactions in a row leave a history that every dialect takes', () => {
  let rows = 0
  const property = fc.property(fc.array(randomTurns, { minLength: 5, maxLength: 5 }), fc.nat(4), (parts, keepLast) => {
    const recorder = new Recorder()
    let compacted = 0
    for (const turns of parts) {
      play(recorder, turns)
      recorder.say('And now something long.', 'Much was found. '.repeat(400))
      for (let more = 0; more < 5; more += 1) recorder.say('Go on.', 'Done so far.')
      const before = recorder.state
      const plan = planCompaction(before, { keepLast })
      if (plan === null) continue
      recorder.record(compactLocally(before, plan, { messageId: recorder.newId('sum') }))
      if (recorder.state.compaction?.at !== recorder.state.updatedAt) continue
      compacted += 1
      expectSound(before, recorder.state, keepLast)
      for (const dialect of dialects) expect(messageFaults(asSent(recorder.window), dialect)).toEqual([])
      expect(recorder.window.filter(isSummary)).toHaveLength(1)
    }
    if (compacted === 5) rows += 1
  })
  fc.assert(property, { numRuns: times({ quick: 8, ci: 60, long: 600 }) })
  expect(rows).toBeGreaterThan(times({ quick: 4, ci: 50 }))
})

function expectSound(before: SessionState, after: SessionState, keepLast: number): void {
  const open = new Set(unansweredCalls(after.turn).map(({ call }) => call.id))
  const window = after.messages.toArray()
  expect(pairingFault(window, open)).toBeUndefined()
  const text = textOf(window[0]?.content ?? [])
  expect(text.startsWith(`${compactionMarker}\n`)).toBe(true)
  expect(text.split('\n').filter((line) => line === compactionMarker)).toHaveLength(1)
  const newest = before.messages.slice(-keepLast || before.messages.length)
  if (keepLast > 0) expect(window.slice(-newest.length)).toEqual(newest)
  const words = before.messages.toArray().findLast(({ origin }) => origin === 'input' || origin === 'steering')
  if (words !== undefined) expect(window).toContainEqual(words)
  // What stays, stays as it was and where it was.
  const old = before.messages.filter(({ id }) => window.some((message) => message.id === id))
  expect(window.slice(1)).toEqual(old)
}

/** Even when it need not gain anything, a compaction here would have nothing new to fold, or gain too little. */
function expectNothingToGain(state: SessionState, keepLast: number): void {
  const forced = planCompaction(state, { keepLast, minimumGain: -1 })
  if (forced === null) return
  expect(compactLocally(state, forced, { messageId: 'sum' }).type).toBe('context.compaction_failed')
}
