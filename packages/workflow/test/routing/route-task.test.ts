import { expect, test } from 'vitest'
import { readSignals } from '../../src/routing/read-signals.ts'
import { rerouted, routeTask } from '../../src/routing/route-task.ts'
import { scoreModes } from '../../src/routing/score-modes.ts'
import type { Signals } from '../../src/routing/signals.ts'
import { routeRows, scoreRows, thresholdRows } from './route.table.ts'
import { workedExamples } from './task-text.table.ts'

test.each(routeRows)('route: $condition', ({ task, context, clarification, route }) => {
  const decision = routeTask({ signals: readSignals(task, context), ...(clarification && { clarification }) })
  expect(decision).toMatchObject({
    kind: route.kind === 'reentry' ? 'reentry' : 'route',
    mode: route.mode,
    reasonCode: route.code,
    decisionKind: route.kind,
    routeScore: route.score,
  })
  expect([decision.runnerUpMode, decision.runnerUpScore]).toEqual(route.runnerUp ?? [undefined, undefined])
  expect(decision.scheduledNextMode).toBe(route.next)
  expect(decision.summary.startsWith(`${route.mode}: `)).toBe(true)
})

test.each(thresholdRows)('scores: %s', (_condition, scores, mode, runnerUp) => {
  const decision = routeTask({ signals: readSignals(''), scorer: () => scores })
  expect([decision.mode, decision.runnerUpMode]).toEqual([mode, runnerUp])
})

test.each(workedExamples)('worked example: $task', ({ task, ambiguity, complexity, scores, mode, code }) => {
  const signals = readSignals(task)
  expect(signals).toMatchObject({ ambiguity, complexity })
  expect(scoreModes(signals, 'allowed')).toEqual(scores)
  expect(routeTask({ signals })).toMatchObject({ mode, reasonCode: code, routeScore: scores[mode] })
})

const plain = (parts: Partial<Signals> = {}): Signals => ({
  ...readSignals('Delete hello.txt'),
  complexity: 0,
  ...parts,
})
test.each(scoreRows)('%s: %s score changes by what is due', (_part, mode, context, added) => {
  const { ambiguity: _ambiguity, complexity: _complexity, ...rest } = readSignals('', context)
  const without = scoreModes(plain(), 'allowed')[mode]
  expect(scoreModes(plain(rest), 'allowed')[mode] - without).toBeCloseTo(added, 9)
})

test('ambiguity and complexity move the scores at their thresholds', () => {
  const at = (parts: Partial<Signals>) => scoreModes(plain(parts), 'allowed')
  expect(at({ ambiguity: 0.349 }).execute - at({ ambiguity: 0.35 }).execute).toBeCloseTo(0.16, 9)
  expect(at({ complexity: 0.449 }).execute - at({ complexity: 0.45 }).execute).toBeCloseTo(0.12, 9)
  expect(at({ complexity: 0.549 }).clarify - at({ complexity: 0.55 }).clarify).toBeCloseTo(0.05, 9)
  expect(at({ ambiguity: 1 }).clarify).toBe(1)
  expect(scoreModes(plain({ ambiguity: 1 }), 'over').clarify).toBe(0)
})

test('the scorer of the caller is asked, with what it needs to know', () => {
  const signals = readSignals('Create hello.txt')
  const asked: unknown[] = []
  const scorer: typeof scoreModes = (...given) => {
    asked.push(given)
    return { clarify: 0, plan: 0.9, execute: 0.1 }
  }
  expect(routeTask({ signals, clarification: 'over', scorer })).toMatchObject({ mode: 'plan', routeScore: 0.9 })
  expect(asked).toEqual([[signals, 'over']])
})

test('a route tells its scores, signals, pressures and open questions', () => {
  const signals = readSignals('Create hello.txt', { openQuestions: ['Where?'], pressure: ['mutation'] })
  expect(routeTask({ signals })).toMatchObject({
    ambiguityScore: 0,
    complexityScore: 0.1,
    unresolvedQuestions: ['Where?'],
    pressureSummary: ['mutation=0.12'],
    signalSummary: signals.summary,
  })
})

test.each([
  ['clarify', 'post_clarify_task_is_complex'],
  ['drift', 'post_drift_task_is_complex'],
] as const)('a route that is chosen again after %s is a handoff, and says so in its code', (after, code) => {
  const route = routeTask({ signals: readSignals(workedExamples[1].task), clarification: 'over' })
  const again = rerouted(route, after)
  expect(again).toMatchObject({ kind: 'handoff', decisionKind: 'handoff', reasonCode: code, mode: 'plan' })
  expect(again.routeScore).toBe(route.routeScore)
})
