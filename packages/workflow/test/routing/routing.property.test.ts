import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSignals } from '../../src/routing/read-signals.ts'
import { routeTask } from '../../src/routing/route-task.ts'
import { scoreModes } from '../../src/routing/score-modes.ts'
import { numRuns, randomText } from './random-text.ts'

const count = fc.nat({ max: 6 })
const context = fc.record({
  requestedMode: fc.constantFrom(undefined, undefined, undefined, 'clarify', 'plan', 'execute', 'verify', 'explore'),
  brief: fc.constantFrom('none', 'available'),
  plan: fc.constantFrom('none', 'none', 'available', 'stale'),
  openQuestions: fc.array(fc.lorem({ maxCount: 3 }), { maxLength: 12 }),
  pressure: fc.subarray(['verification', 'mutation'] as const),
  recent: fc.record({ clarify: count, reentry: count, planRefresh: count, verifySkip: count }),
})
const clarification = fc.constantFrom('allowed', 'over')
const anyNumber = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }), fc.constantFrom(0, 0.45, 0.55, 1))

test('scores are from 0 to 1 and have three decimals, whatever the text', () => {
  fc.assert(
    fc.property(randomText, context, clarification, (text, known, allowed) => {
      const signals = readSignals(text, known)
      const scores = Object.values(scoreModes(signals, allowed))
      for (const value of [signals.ambiguity, signals.complexity, ...scores]) expectScore(value)
      expect(signals.summary.slice(0, 2).map((line) => line.split('=')[0])).toEqual(['ambiguity', 'complexity'])
    }),
    { numRuns },
  )
})

test('every task has exactly one route, and always the same', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(randomText, context, clarification, (text, known, allowed) => {
      const route = () => routeTask({ signals: readSignals(text, known), clarification: allowed })
      const decision = route()
      expect(route()).toEqual(decision)
      expectScore(decision.routeScore ?? Number.NaN)
      if (allowed === 'over') expect(decision.mode).not.toBe('clarify')
      if (decision.runnerUpMode !== undefined) expect(decision.runnerUpMode).not.toBe(decision.mode)
      seen.set(decision.reasonCode, (seen.get(decision.reasonCode) ?? 0) + 1)
    }),
    { numRuns: numRuns * 3 },
  )
  // Scores alone lead to these, so that the property has looked at every branch.
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(['explicit_request', 'stale_plan_artifacts', 'existing_plan_artifacts', 'task_is_concrete']),
  )
})

test('a scorer may return anything', () => {
  fc.assert(
    fc.property(anyNumber, anyNumber, anyNumber, clarification, (clarify, plan, execute, allowed) => {
      const decision = routeTask({
        signals: readSignals(''),
        clarification: allowed,
        scorer: () => ({ clarify, plan, execute }),
      })
      expectScore(decision.routeScore ?? Number.NaN)
      expectScore(decision.runnerUpScore ?? Number.NaN)
      if (allowed === 'over') expect(decision.mode).not.toBe('clarify')
    }),
    { numRuns },
  )
})

function expectScore(value: number): void {
  expect(value).toBeGreaterThanOrEqual(0)
  expect(value).toBeLessThanOrEqual(1)
  expect(Math.round(value * 1000) / 1000).toBe(value)
}
