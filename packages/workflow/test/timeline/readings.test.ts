import { describe, expect, test } from 'vitest'
import { emptyLedger, type Ledger, type TimelineEntry } from '@loader/session-core/coding'
import { updateLedger } from '../../src/ledger/update-ledger.ts'
import type { Decided } from '../../src/words/step.ts'
import { clarifyEntry } from '../../src/planning/review-clarify.ts'
import { completionEntry } from '../../src/timeline/completion-entry.ts'
import { decisionsOfTurn } from '../../src/timeline/decisions-of-turn.ts'
import { explainEntry } from '../../src/timeline/explain-entry.ts'
import { filterTimeline, type TimelineFilter } from '../../src/timeline/filter-timeline.ts'
import { timelineHighlights } from '../../src/timeline/highlights.ts'
import { planRefreshEntry } from '../../src/planning/recovery-entry.ts'
import { reentryEntry, routeEntry } from '../../src/timeline/route-entry.ts'
import { repairEntry } from '../../src/timeline/repair-entry.ts'
import { timelineOf } from '../../src/timeline/timeline-of.ts'
import { verifyEntry, verifySkipEntry } from '../../src/timeline/verify-entry.ts'
import { begun, decided, historyOf, stateOf, timeOf } from './recorded.ts'

const entries: readonly Decided[] = [
  routeEntry({ mode: 'clarify', code: 'task_is_ambiguous', summary: 'vague', decisionKind: 'initial_route' }),
  clarifyEntry({ next: 'leave', code: 'clarify_complete', summary: 'settled' }),
  routeEntry({ mode: 'plan', code: 'post_clarify_task_is_complex', summary: 'complex', decisionKind: 'handoff' }),
  planRefreshEntry({ mode: 'execute', code: 'touched_files_outside_plan', summary: 'stale' }),
  reentryEntry({ mode: 'plan', code: 'stale_plan_artifacts', summary: 'again' }),
  repairEntry({
    mode: 'execute',
    stage: 'empty_response',
    outcome: 'retry',
    code: 'empty_response_retry',
    summary: 'empty',
  }),
  verifyEntry({
    mode: 'verify',
    code: 'verification_command_failed',
    summary: 'npm test failed',
    verificationObservations: [{ status: 'failed', summary: 'npm test failed' }],
  }),
  completionEntry({
    mode: 'execute',
    stage: 'definition_of_done',
    outcome: 'continue',
    code: 'verification_failed_reentry',
    summary: 'again',
  }),
  verifySkipEntry({ mode: 'execute', code: 'verification_not_required', summary: 'nothing changed' }),
  completionEntry({
    mode: 'execute',
    stage: 'definition_of_done',
    outcome: 'complete',
    code: 'non_mutating_response_accepted',
    summary: 'done',
  }),
]
const timeline: readonly TimelineEntry[] = entries.map((entry, index) => ({
  id: `entry_${index}`,
  ...entry,
  seq: index + 1,
  at: timeOf(index),
}))
const codes = (some: Iterable<TimelineEntry>) => [...some].map(({ reasonCode }) => reasonCode)

const ledger: Ledger = updateLedger(
  { ...emptyLedger, acceptanceAnchors: [{ text: 'notes.txt exists.', status: 'active', introducedPhase: 'clarify' }] },
  [{ kind: 'acceptance_anchor', summary: 'notes.txt exists: the plan does not cover this.' }],
)

describe('a filter', () => {
  test.each<[string, TimelineFilter, number[]]>([
    ['nothing', {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['a mode', { mode: 'plan' }, [2, 4]],
    ['a kind', { kind: 'completion_continue' }, [7]],
    ['a stage', { stage: 'definition_of_done' }, [7, 9]],
    ['accountability', { accountability: 'only' }, [5, 6, 7, 8, 9]],
    ['a limit', { limit: 3 }, [7, 8, 9]],
    ['a limit of nothing', { limit: 0 }, []],
    ['a limit above all', { limit: 99 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['several', { mode: 'execute', accountability: 'only', limit: 2 }, [8, 9]],
    ['what no entry has', { mode: 'explore' }, []],
  ])('by %s keeps the entries that fit, in their order', (_what, filter, expected) => {
    expect(filterTimeline(timeline, filter)).toEqual(expected.map((index) => timeline[index]))
  })
})

test('highlights are the latest entry of each topic, and what has changed in the ledger', () => {
  const highlights = timelineHighlights(timeline, ledger)
  expect(highlights.map(({ topic, entry }) => [topic, entry?.reasonCode])).toEqual([
    ['clarify', 'clarify_complete'],
    ['recovery', 'stale_plan_artifacts'],
    ['repair', 'empty_response_retry'],
    ['completion', 'non_mutating_response_accepted'],
    ['verify', 'verification_not_required'],
    ['ledger', undefined],
  ])
  expect(highlights[0]?.text).toBe('clarify: settled | code=clarify_complete')
  expect(highlights.at(-1)?.text).toBe('changed: notes.txt exists.')
  expect(timelineHighlights([], emptyLedger)).toEqual([])
})

test('an explanation has every part of the entry, in order', () => {
  const entry: Decided = {
    kind: 'clarify_continue',
    mode: 'clarify',
    reasonCode: 'clarify_pressure_pass_required',
    summary: 'clarify: one question\n is open',
    clarifyStage: 'readiness',
    clarifyPressureKind: 'tradeoff',
    policyStage: 'definition_of_done',
    policyOutcome: 'continue',
    missingReadinessGates: ['non_goals', 'pressure_pass'],
    unresolvedQuestions: ['What should stay?', 'Why?'],
    evidenceProvenance: [
      { category: 'action', source: 'actions_taken', summary: 'nothing done', status: 'missing' },
      { category: 'verification', source: 'dod.evidence', summary: 'tests fail', status: 'contradicts' },
      { category: 'tracked_work', source: 'dod.pending_items', summary: 'all items done', status: 'supports' },
      { category: 'response', source: 'assistant_response', summary: 'said so', status: 'context' },
    ],
    evidenceSummary: ['nothing done', 'tests fail'],
    verificationObservations: [
      { status: 'passed', summary: 'lint passed', command: 'npm run lint' },
      {
        status: 'stale',
        summary: 'stale',
        command: 'npm test',
        attemptNumber: 1,
        supersedesAttemptId: 'verification-attempt-2',
      },
      { status: 'missing', summary: 'no build' },
    ],
    signalSummary: ['ambiguity=0.35', 'complexity=0.10', 'requested_mode=plan'],
  }
  expect(explainEntry(entry).split(' | ')).toEqual([
    'clarify: one question is open',
    'code=clarify_pressure_pass_required',
    'stage=readiness',
    'pressure=tradeoff',
    'policy-stage=definition_of_done',
    'policy-outcome=continue',
    'gates=non_goals, pressure_pass',
    'What should stay?',
    'needs=nothing done; tests fail',
    'satisfied=all items done',
    'evidence=nothing done; tests fail',
    'provenance=action from actions_taken, verification from dod.evidence, tracked_work from dod.pending_items, response from assistant_response',
    'observed=stale: npm test (attempt 1 -> attempt 2)',
    'ambiguity=0.35',
    'complexity=0.10',
  ])
})

test.each([
  [['passed', 'missing', 'stale', 'failed'], 'failed'],
  [['passed', 'missing', 'stale'], 'stale'],
  [['planned', 'passed', 'missing'], 'missing'],
  [['planned', 'passed'], 'passed'],
  [['pending', 'planned'], 'pending'],
] as const)('of the observations %j an explanation shows the worst: %s', (statuses, shown) => {
  const verificationObservations = statuses.map((status) => ({ status, summary: 'seen', attemptNumber: 3 }))
  const entry = verifyEntry({ mode: 'verify', code: 'c', summary: 's', verificationObservations })
  expect(explainEntry(entry)).toContain(`observed=${shown}: seen (attempt 3)`)
})

test('the decisions of a turn are those behind its start', () => {
  const [route, , handoff] = entries
  if (route === undefined || handoff === undefined) throw new Error('there are entries')
  const before = [
    ...begun('One'),
    decided(route),
    { type: 'turn.finished', turnId: 'turn_1', reason: 'stopped' } as const,
  ]
  expect(decisionsOfTurn(stateOf(...before))).toEqual([])
  const state = stateOf(...before, ...begun('Two', { turnId: 'turn_2' }), decided(handoff), decided(handoff))
  expect(codes(decisionsOfTurn(state))).toEqual([handoff.reasonCode, handoff.reasonCode])
  expect(codes(decisionsOfTurn(state, { startedSeq: 3 }))).toHaveLength(3)
})

test('a history has every decision, of which a state keeps the latest', () => {
  const [route] = entries
  if (route === undefined) throw new Error('there is an entry')
  const many = Array.from({ length: 250 }, () => decided(route))
  expect(timelineOf(historyOf(...begun('One'), ...many))).toHaveLength(250)
  const state = stateOf(...begun('One'), ...many)
  expect(state.timeline.length).toBeLessThan(250)
  expect(
    timelineOf(historyOf(...begun('One'), ...many))
      .slice(-state.timeline.length)
      .map(({ seq }) => seq),
  ).toEqual(state.timeline.map(({ seq }) => seq))
})
