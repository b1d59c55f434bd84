import { times } from '@loader/test-tier'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CompletionTraceEntry, EntryKind, type TimelineEntry } from '@loader/session-core/coding'
import { completionTrace } from '../../src/timeline/completion-trace.ts'
import { timeOf } from './recorded.ts'

const texts = fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 3 })
const kind = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...EntryKind.options.filter((each) => each.startsWith('completion_'))) },
  { weight: 1, arbitrary: fc.constantFrom(...EntryKind.options) },
  { weight: 1, arbitrary: fc.constant('verify_skip' as const) },
)
const entry = fc.record(
  {
    kind,
    reasonCode: fc.constantFrom('a', 'b', 'c'),
    summary: fc.constantFrom('completion: x', 'completion:y ', 'z', 'verify: completion: w'),
    policyStage: fc.constantFrom('text_loop', 'definition_of_done', ''),
    policyOutcome: fc.constantFrom('continue', 'complete', ''),
    evidenceSummary: texts,
    evidenceProvenance: texts.map((summaries) =>
      summaries.map((summary) => ({ category: 'action', source: 's', summary, status: 'missing' as const })),
    ),
    verificationObservations: texts.map((summaries) =>
      summaries.map((summary) => ({ summary, status: 'failed' as const })),
    ),
  },
  { requiredKeys: ['kind', 'reasonCode', 'summary'] },
)
const timelines = fc.array(entry, { maxLength: 30 }).map((entries) =>
  entries.map((each, index): TimelineEntry => ({
    id: `e${index}`,
    seq: index + 1,
    at: timeOf(index),
    mode: 'execute',
    ...each,
  })),
)
const fallback: CompletionTraceEntry[] = [{ stage: 's', outcome: 'o', decisionCode: 'old', decisionSummary: 'old' }]

test('the trace is what the rule says, read step by step', () => {
  const seen = { cut: 0, fallback: 0, skipped: 0, capped: 0 }
  fc.assert(
    fc.property(
      timelines,
      fc.constantFrom('a', 'b', 'c', 'd', '', null),
      fc.integer({ min: 1, max: 9 }),
      (timeline, last, max) => {
        const expected = traceStepByStep(timeline, last, max)
        expect(completionTrace(timeline, last, fallback, max)).toEqual(expected)
        seen.fallback += expected[0]?.decisionCode === 'old' ? 1 : 0
        seen.cut += expected.length > 0 && expected.length < timeline.length ? 1 : 0
        seen.skipped += timeline.some((each) => each.kind === 'verify_skip') ? 1 : 0
        seen.capped += expected.length === max ? 1 : 0
      },
    ),
    { numRuns: times({ quick: 200, ci: 5000, long: 50_000 }) },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(times({ quick: 10, ci: 50 }))
})

/** The rule as it is written, one sentence after the other. */
function traceStepByStep(timeline: readonly TimelineEntry[], last: string | null, max: number): CompletionTraceEntry[] {
  if (last === null || last === '') return [...fallback]
  let end = timeline.length - 1
  while (end >= 0) {
    const candidate = timeline[end]
    if (candidate?.kind.startsWith('completion_') && candidate.reasonCode === last) break
    end -= 1
  }
  if (end < 0) return [...fallback]
  let start = end
  while (start > 0) {
    const previous = timeline[start - 1]
    if (!previous?.kind.startsWith('completion_') && previous?.kind !== 'verify_skip') break
    start -= 1
  }
  const trace: CompletionTraceEntry[] = []
  for (let index = start; index <= end; index += 1) {
    const each = timeline[index]
    if (!each?.kind.startsWith('completion_')) continue
    const provenance = each.evidenceProvenance ?? []
    const observations = each.verificationObservations ?? []
    let evidence = [...(each.evidenceSummary ?? [])]
    if (evidence.length === 0) evidence = [...new Set(provenance.map(({ summary }) => summary))]
    if (evidence.length === 0) evidence = [...new Set(observations.map(({ summary }) => summary))]
    const byKind =
      each.kind === 'completion_continue'
        ? 'continue'
        : each.kind === 'completion_finalize'
          ? 'finalize'
          : each.kind === 'completion_check'
            ? 'accept'
            : 'complete'
    const prefix = 'completion:'
    trace.push({
      stage: each.policyStage === undefined || each.policyStage === '' ? 'unknown' : each.policyStage,
      outcome: each.policyOutcome === undefined || each.policyOutcome === '' ? byKind : each.policyOutcome,
      decisionCode: each.reasonCode,
      decisionSummary: (each.summary.startsWith(prefix) ? each.summary.slice(prefix.length) : each.summary).trim(),
      evidenceSummary: evidence,
      evidenceProvenance: [...provenance],
      verificationObservations: [...observations],
    })
  }
  while (trace.length > max) trace.shift()
  return trace
}
