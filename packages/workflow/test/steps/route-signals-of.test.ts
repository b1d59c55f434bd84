import { expect, test } from 'vitest'
import { writtenBrief } from '../../src/planning/brief-text.ts'
import { fallbackBrief } from '../../src/planning/brief-reading.ts'
import { fallbackPlan } from '../../src/planning/parse-plan.ts'
import { writtenPlan } from '../../src/planning/written-plan.ts'
import { routeSignalsOf } from '../../src/steps/route-signals-of.ts'
import { clarifyEntry } from '../../src/planning/review-clarify.ts'
import { handoffEntry, reentryEntry } from '../../src/timeline/route-entry.ts'
import { planRefreshEntry } from '../../src/planning/recovery-entry.ts'
import { verifySkipEntry } from '../../src/timeline/verify-entry.ts'
import { begun, decided, stateOf, timeOf } from '../timeline/recorded.ts'

const task = 'Create hello.txt in the workspace root.'
const brief = { type: 'brief.written', brief: writtenBrief(fallbackBrief({ task }), task) } as const
const plan = { type: 'plan.written', plan: writtenPlan(fallbackPlan(task), task) } as const
const handoff = handoffEntry({ mode: 'execute', code: 'plan_artifacts_created', summary: 'planned' })

test('a session in which nothing has happened yet has no signals but those of no words', () => {
  expect(routeSignalsOf(stateOf()).summary).toEqual(['ambiguity=0.20', 'complexity=0.00'])
})

test('the words are those of the turn, and the mode that was asked for is heard', () => {
  const signals = routeSignalsOf(stateOf(...begun(task, { mode: 'plan' })))
  expect(signals).toMatchObject({ ambiguity: 0, complexity: 0.1, requestedMode: 'plan', brief: 'none', plan: 'none' })
})

test('brief and plan are available to the task that they were written for', () => {
  expect(routeSignalsOf(stateOf(...begun(task), brief, plan))).toMatchObject({ brief: 'available', plan: 'available' })
  const finished = { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' } as const
  const next = (text: string) => stateOf(...begun(task), brief, plan, finished, ...begun(text, { turnId: 'turn_2' }))
  expect(routeSignalsOf(next('Now delete it.'))).toMatchObject({ brief: 'none', plan: 'none' })
  expect(routeSignalsOf(next(task))).toMatchObject({ brief: 'available', plan: 'available' })
})

test('artifacts that name no task belong to the task at hand', () => {
  const foreign = [
    { type: 'brief.written', brief: { text: '## In Scope\n- all' } } as const,
    { type: 'plan.written', plan: { implementation: '## Steps\n- one' } } as const,
  ]
  expect(routeSignalsOf(stateOf(...begun(task), ...foreign))).toMatchObject({ brief: 'available', plan: 'available' })
})

test('a plan is stale for those who say so', () => {
  const signals = routeSignalsOf(stateOf(...begun(task), plan), { plan: 'stale' })
  expect(signals).toMatchObject({ plan: 'stale', staleArtifact: 0.45 })
})

test('what clarification of this turn left open is still open', () => {
  const exit = clarifyEntry({
    next: 'leave',
    code: 'clarify_budget_exhausted',
    summary: 'x',
    unresolvedQuestions: ['Where?'],
  })
  const asked = stateOf(...begun(task), decided(exit))
  expect(routeSignalsOf(asked).openQuestions).toEqual(['Where?'])
  const finished = { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' } as const
  const later = stateOf(...begun(task), decided(exit), finished, ...begun('Next', { turnId: 'turn_2' }))
  expect(routeSignalsOf(later).openQuestions).toEqual([])
})

test('the last six entries count, by mode, kind, decision kind and code', () => {
  const entries = [
    clarifyEntry({ next: 'ask_again', code: 'clarify_follow_up_needed', summary: 'old' }),
    reentryEntry({ mode: 'clarify', code: 'clarify_reentry_required', summary: 'drift' }),
    clarifyEntry({ next: 'leave', code: 'clarify_complete', summary: 'done' }),
    planRefreshEntry({ mode: 'execute', code: 'touched_files_outside_plan', summary: 'stale' }),
    handoffEntry({ mode: 'execute', code: 'plan_refresh_completed', summary: 'fresh' }),
    verifySkipEntry({ mode: 'execute', code: 'verification_not_required', summary: 'nothing to verify' }),
    handoff,
  ]
  const counts = { clarify: 2, reentry: 1, planRefresh: 2, verifySkip: 1 }
  expect(routeSignalsOf(stateOf(...entries.map(decided))).recent).toEqual(counts)
})

test('changes of this turn and checks that failed in it press for a plan', () => {
  const goal = {
    type: 'goal.defined',
    goal: {
      id: 'goal-3',
      task,
      criteria: [{ id: 'c1', text: 'hello.txt exists', checkIds: ['check'] }],
      checks: [{ id: 'check', command: 'test -f hello.txt', kind: 'smoke', source: 'plan' }],
    },
  } as const
  const started = { type: 'check.started', runId: 'run', checkId: 'check', command: 'test -f hello.txt' } as const
  const evidence = (seq: number, outcome: 'passed' | 'failed') =>
    ({
      type: 'check.finished',
      evidence: {
        checkId: 'check',
        runId: 'run',
        criterionIds: ['c1'],
        command: 'test -f hello.txt',
        outcome,
        exitCode: outcome === 'passed' ? 0 : 1,
        output: '',
        startedAt: timeOf(seq),
        finishedAt: timeOf(seq),
        fingerprintBefore: 'a',
        fingerprintAfter: 'a',
      },
    }) as const
  const failed = stateOf(...begun(task), goal, started, evidence(6, 'failed'))
  expect(routeSignalsOf(failed)).toMatchObject({ verificationPressure: 0.18, mutationPressure: 0 })
  const passed = stateOf(...begun(task), goal, started, evidence(6, 'passed'))
  expect(routeSignalsOf(passed).verificationPressure).toBe(0)
  const longAgo = stateOf(...begun(task), goal, started, evidence(1, 'failed'))
  expect(routeSignalsOf(longAgo).verificationPressure).toBe(0)
  const working = stateOf(...begun(task))
  const changed = { ...working, turn: working.turn && { ...working.turn, work: { ...working.turn.work, changes: 1 } } }
  expect(routeSignalsOf(changed).mutationPressure).toBe(0.12)
})
