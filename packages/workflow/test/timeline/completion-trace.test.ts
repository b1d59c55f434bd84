import { expect, test } from 'vitest'
import type { CompletionTraceEntry, TimelineEntry } from '@loader/session-core/coding'
import { completionTrace, completionTraceOf } from '../../src/timeline/completion-trace.ts'
import { completionEntry } from '../../src/timeline/completion-entry.ts'
import { routeEntry } from '../../src/timeline/route-entry.ts'
import { answered, begun, decided, stateOf, timeOf } from './recorded.ts'

const legacy: readonly CompletionTraceEntry[] = [
  { stage: 'definition_of_done', outcome: 'complete', decisionCode: 'stale_completion_trace', decisionSummary: 'old' },
]

let seq = 0
function at(kind: TimelineEntry['kind'], reasonCode: string, more: Partial<TimelineEntry> = {}): TimelineEntry {
  seq += 1
  return { id: `entry_${seq}`, seq, at: timeOf(seq), kind, mode: 'execute', reasonCode, summary: reasonCode, ...more }
}

const codes = (trace: readonly CompletionTraceEntry[]) => trace.map(({ decisionCode }) => decisionCode)

const rows: readonly [rule: string, timeline: readonly TimelineEntry[], last: string | null, expected: string[]][] = [
  ['no last code: the fallback', [at('completion_check', 'a')], null, ['stale_completion_trace']],
  ['an empty last code: the fallback', [at('completion_check', 'a')], '', ['stale_completion_trace']],
  ['a code that the timeline lacks: the fallback', [at('completion_check', 'a')], 'b', ['stale_completion_trace']],
  ['the code of another kind does not count', [at('route', 'a')], 'a', ['stale_completion_trace']],
  ['a run of judgements', [at('completion_check', 'a'), at('completion_continue', 'b')], 'b', ['a', 'b']],
  ['later judgements are left out', [at('completion_check', 'a'), at('completion_continue', 'b')], 'a', ['a']],
  [
    'the last entry with the code ends the run',
    [at('completion_continue', 'a'), at('completion_check', 'b'), at('completion_continue', 'a')],
    'a',
    ['a', 'b', 'a'],
  ],
  [
    'skipped verification does not end the walk, and is left out',
    [at('completion_check', 'a'), at('verify_skip', 's'), at('completion_complete', 'b')],
    'b',
    ['a', 'b'],
  ],
  ...(
    ['route', 'handoff', 'reentry', 'verify_observation', 'repair_retry', 'repair_fail', 'plan_refresh'] as const
  ).map((kind): (typeof rows)[number] => [
    `an entry of kind ${kind} ends the walk`,
    [at('completion_check', 'a'), at(kind, 'x'), at('completion_continue', 'b'), at('completion_complete', 'c')],
    'c',
    ['b', 'c'],
  ]),
  [
    'the last eight are kept',
    Array.from({ length: 11 }, (_, index) => at('completion_continue', `c${index}`)),
    'c10',
    ['c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10'],
  ],
]

test.each(rows)('%s', (_rule, timeline, last, expected) => {
  expect(codes(completionTrace(timeline, last, legacy))).toEqual(expected)
})

test('as many are kept as the caller wants', () => {
  const timeline = [at('completion_check', 'a'), at('completion_continue', 'b'), at('completion_complete', 'c')]
  expect(codes(completionTrace(timeline, 'c', [], 2))).toEqual(['b', 'c'])
  expect(completionTrace(timeline, 'c', [], 0)).toEqual([])
})

const outcomes: readonly [kind: TimelineEntry['kind'], outcome: string][] = [
  ['completion_continue', 'continue'],
  ['completion_finalize', 'finalize'],
  ['completion_check', 'accept'],
  ['completion_complete', 'complete'],
]

test.each(outcomes)('an entry of kind %s that tells no outcome has the outcome %s', (kind, outcome) => {
  expect(completionTrace([at(kind, 'a')], 'a')).toMatchObject([{ stage: 'unknown', outcome }])
  const told = at(kind, 'a', { policyStage: 'text_loop', policyOutcome: 'told' })
  expect(completionTrace([told], 'a')).toMatchObject([{ stage: 'text_loop', outcome: 'told' }])
})

test('the prefix leaves the summary, and evidence is summed up where nothing else does', () => {
  const observation = { status: 'failed', summary: 'npm test failed' } as const
  const provenance = {
    category: 'verification',
    source: 'dod.evidence',
    summary: 'it failed',
    status: 'contradicts',
  } as const
  const trace = (more: Partial<TimelineEntry>) => completionTrace([at('completion_continue', 'a', more)], 'a')[0]
  expect(trace({ summary: 'completion:   again ' })?.decisionSummary).toBe('again')
  expect(trace({ summary: 'completion: again, completion: twice' })?.decisionSummary).toBe('again, completion: twice')
  expect(trace({ evidenceSummary: ['said'], evidenceProvenance: [provenance] })).toMatchObject({
    evidenceSummary: ['said'],
    evidenceProvenance: [provenance],
    verificationObservations: [],
  })
  expect(
    trace({ evidenceProvenance: [provenance, provenance], verificationObservations: [observation] }),
  ).toMatchObject({
    evidenceSummary: ['it failed'],
    verificationObservations: [observation],
  })
  expect(trace({ verificationObservations: [observation] })?.evidenceSummary).toEqual(['npm test failed'])
})

const nudge = completionEntry({
  mode: 'execute',
  stage: 'continuation_check',
  outcome: 'continue',
  code: 'nudge',
  summary: 'go on',
})
const done = completionEntry({
  mode: 'execute',
  stage: 'definition_of_done',
  outcome: 'complete',
  code: 'done',
  summary: 'done',
})
const route = routeEntry({ mode: 'execute', code: 'task_is_concrete', summary: 'go', decisionKind: 'initial_route' })

test('the trace of a session goes by its latest judgement, and begins anew with each turn', () => {
  const first = [...begun('One'), decided(route), ...answered('Done.'), decided(nudge), decided(done)]
  expect(codes(completionTraceOf(stateOf(...first)))).toEqual(['nudge', 'done'])
  const finished = [...first, { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' } as const]
  expect(codes(completionTraceOf(stateOf(...finished)))).toEqual(['nudge', 'done'])
  const next = [...finished, ...begun('Two', { turnId: 'turn_2' }), decided(route)]
  expect(completionTraceOf(stateOf(...next))).toEqual([])
  expect(codes(completionTraceOf(stateOf(...next, ...answered('Done.', 'req_2'), decided(done))))).toEqual(['done'])
})
