import { expect, test } from 'vitest'
import { Decision } from '@loader/session-core/coding'
import type { Decided } from '../../src/words/step.ts'
import { clarifyEntry } from '../../src/planning/review-clarify.ts'
import { completionEntry } from '../../src/timeline/completion-entry.ts'
import { handoffEntry, reentryEntry, routeEntry } from '../../src/timeline/route-entry.ts'
import { planRefreshEntry } from '../../src/planning/recovery-entry.ts'
import { repairEntry } from '../../src/timeline/repair-entry.ts'
import { verifyEntry, verifySkipEntry } from '../../src/timeline/verify-entry.ts'
import { completionRows, observationStatuses, repairRows, routeKindRows } from './kinds.table.ts'

const reason = { mode: 'execute', code: 'a_code', summary: 'because' } as const

test.each(completionRows)('completion: stage %s with outcome %s is %s', (stage, outcome, kind) => {
  expectEntry(completionEntry({ ...reason, stage, outcome }), {
    kind,
    summary: 'completion: because',
    decisionKind: 'forced',
    policyStage: stage,
    policyOutcome: outcome,
  })
})

test.each(repairRows)('repair: stage %s with outcome %s is %s', (stage, outcome, kind) => {
  expectEntry(repairEntry({ ...reason, stage, outcome }), {
    kind,
    summary: 'repair: because',
    decisionKind: 'forced',
    policyStage: stage,
    policyOutcome: outcome,
  })
})

test.each(observationStatuses)('verification: the first observation decides the outcome %s', (status) => {
  const observations = [
    { status, summary: 'first' },
    { status: 'passed', summary: 'second' },
  ] as const
  expectEntry(verifyEntry({ ...reason, verificationObservations: observations }), {
    kind: 'verify_observation',
    summary: 'verify: because',
    decisionKind: 'forced',
    policyStage: 'verification',
    policyOutcome: status,
    verificationObservations: observations,
    evidenceSummary: ['first', 'second'],
  })
})

test('verification: without any observation the outcome is missing', () => {
  expect(verifyEntry({ ...reason, verificationObservations: [] })).toMatchObject({ policyOutcome: 'missing' })
})

test('verification: what needs none is skipped', () => {
  expectEntry(verifySkipEntry(reason), {
    kind: 'verify_skip',
    summary: 'verify: because',
    decisionKind: 'forced',
    policyStage: 'verification',
    policyOutcome: 'skipped',
  })
})

test.each(routeKindRows)('a mode chosen by %s is a %s', (decisionKind, kind) => {
  expectEntry(routeEntry({ ...reason, decisionKind }), { kind, summary: 'execute: because', decisionKind })
})

test('handoff and reentry are modes that were chosen so', () => {
  expect(handoffEntry(reason)).toEqual(routeEntry({ ...reason, decisionKind: 'handoff' }))
  expect(reentryEntry(reason)).toEqual(routeEntry({ ...reason, decisionKind: 'reentry' }))
})

test('clarification goes on, or hands on to execution', () => {
  const { mode: _mode, ...round } = reason
  const shared = { mode: 'clarify', summary: 'clarify: because' } as const
  expectEntry(clarifyEntry({ ...round, next: 'ask_again' }), { ...shared, kind: 'clarify_continue' })
  expectEntry(clarifyEntry({ ...round, next: 'leave' }), {
    ...shared,
    kind: 'clarify_exit',
    scheduledNextMode: 'execute',
  })
})

test('an artifact that no longer fits is an entry of the policy', () => {
  expectEntry(planRefreshEntry(reason), { kind: 'plan_refresh', summary: 'policy: because', decisionKind: 'forced' })
})

const seen = {
  evidenceProvenance: [
    { category: 'action', source: 'actions_taken', summary: 'nothing was done', status: 'missing' },
    { category: 'response', source: 'assistant_response', summary: 'nothing was done', status: 'contradicts' },
    { category: 'verification', source: 'dod.evidence', summary: 'it failed', status: 'contradicts' },
  ],
  verificationObservations: [{ status: 'failed', summary: 'npm test failed' }],
} as const

test.each([
  ['the words that are given', { ...seen, evidenceSummary: ['said'] }, ['said']],
  ['else what was seen, each once', seen, ['nothing was done', 'it failed']],
  ['else what checks showed', { verificationObservations: seen.verificationObservations }, ['npm test failed']],
  ['else nothing', {}, undefined],
])('the evidence of an entry is %s', (_which, details, expected) => {
  const entry = completionEntry({ ...reason, ...details, stage: 'definition_of_done', outcome: 'continue' })
  expect(entry.evidenceSummary).toEqual(expected)
})

test('an entry keeps what it is told of prompt, artifacts and scores, and leaves out what is empty', () => {
  const details = {
    promptFormat: 'native',
    promptSections: ['Workflow Context'],
    artifactPaths: ['.loader/plans/1/implementation.md'],
    ambiguityScore: 0.35,
  } as const
  const entry = handoffEntry({ ...reason, ...details, unresolvedQuestions: [], missingReadinessGates: [] })
  expect(Object.keys(entry).toSorted()).toEqual(
    ['kind', 'mode', 'reasonCode', 'summary', 'decisionKind', ...Object.keys(details)].toSorted(),
  )
  expect(entry).toMatchObject(details)
})

function expectEntry(entry: Decided, expected: Partial<Decided>): void {
  expect(entry).toStrictEqual({ mode: 'execute', reasonCode: 'a_code', ...expected })
  expect(Decision.parse({ id: 'entry', ...entry })).toEqual({ id: 'entry', ...entry })
}
