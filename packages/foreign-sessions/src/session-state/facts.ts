import type { EventInput } from '@loader/session-core'
import {
  type CompletionTraceEntry,
  type Decision,
  DecisionKind,
  EntryKind,
  type Ledger,
  WorkflowMode,
} from '@loader/session-core/coding'
import type { Fact } from '../conversation/conversation.ts'
import { given, timeOf } from '../source/loose.ts'
import type { StateLedgerItem, StatePrompt, StateReasons, StateSnapshot, StateTimelineEntry } from './records.ts'

/** The facts of a snapshot: decisions of the runtime and the ledger, in the order of their times. */
export function factsOf(snapshot: StateSnapshot): Fact[] {
  const { workflow_timeline: timeline, prompt_history: prompts } = snapshot
  const decided = timeline.map((entry, index) => fact(decisionOf(entry, `imported_${index + 1}`), entry.timestamp))
  const rendered = prompts.map((prompt) => fact(promptOf(prompt), prompt.timestamp))
  const inOrder = [...decided, ...rendered].toSorted((one, other) => ((one.at ?? '') < (other.at ?? '') ? -1 : 1))
  return [...inOrder, ...routeOf(snapshot), ...ledgerOf(snapshot)]
}

export function legacyTraceOf({ completion_trace: trace }: StateSnapshot): CompletionTraceEntry[] {
  return trace.map(({ stage, outcome, decision_code, decision_summary, ...reasons }) => ({
    stage,
    outcome,
    decisionCode: decision_code,
    decisionSummary: decision_summary,
    ...reasonsOf(reasons),
  }))
}

function fact(input: EventInput, time: string | undefined): Fact {
  return { kind: 'fact', input, place: { line: 0 }, ...given('at', timeOf(time)) }
}

function decisionOf(entry: StateTimelineEntry, id: string): EventInput {
  const { clarify_stage: stage, clarify_pressure_kind: pressure } = entry
  const decision: Decision = {
    id,
    kind: EntryKind.safeParse(entry.kind).data ?? 'route',
    mode: modeOf(entry.mode),
    reasonCode: entry.reason_code || 'imported',
    summary: entry.summary ?? '',
    ...given('decisionKind', DecisionKind.safeParse(entry.decision_kind).data),
    ...given('routeScore', entry.route_score),
    ...given('runnerUpMode', WorkflowMode.safeParse(entry.runner_up_mode).data),
    ...given('runnerUpScore', entry.runner_up_score),
    ...given('scheduledNextMode', WorkflowMode.safeParse(entry.scheduled_next_mode).data),
    ...listed('unresolvedQuestions', entry.unresolved_questions),
    ...listed('signalSummary', entry.signal_summary),
    ...reasonsOf(entry),
    ...(stage === 'intent' || stage === 'boundaries' || stage === 'readiness' ? { clarifyStage: stage } : {}),
    ...(pressure === 'example' || pressure === 'tradeoff' || pressure === 'assumption'
      ? { clarifyPressureKind: pressure }
      : {}),
    ...given('pressurePassComplete', entry.pressure_pass_complete),
    ...listed('missingReadinessGates', entry.missing_readiness_gates),
    ...given('policyStage', entry.policy_stage),
    ...given('policyOutcome', entry.policy_outcome),
    ...formatOf(entry.prompt_format),
    ...listed('promptSections', entry.prompt_sections),
    ...listed('artifactPaths', entry.artifact_paths),
  }
  return { type: 'workflow.decided', entry: decision }
}

/** The mode of the snapshot, if no entry of the timeline leads to it. */
function routeOf(snapshot: StateSnapshot): Fact[] {
  const { workflow_timeline: timeline, workflow_mode: mode, workflow_reason_code: code } = snapshot
  const isRoute = ({ kind }: StateTimelineEntry) => kind === 'route' || kind === 'handoff' || kind === 'reentry'
  const last = timeline.findLast(isRoute)
  if (mode === undefined || (last?.mode ?? 'execute') === mode) return []
  const decision: Decision = {
    id: 'imported_mode',
    kind: 'route',
    mode: modeOf(mode),
    reasonCode: code || 'imported',
    summary: snapshot.workflow_reason_summary ?? `${mode}: as it was in the imported session`,
    ...given('decisionKind', DecisionKind.safeParse(snapshot.workflow_decision_kind).data),
    ...given('ambiguityScore', snapshot.workflow_ambiguity_score),
    ...given('complexityScore', snapshot.workflow_complexity_score),
    ...given('scheduledNextMode', WorkflowMode.safeParse(snapshot.workflow_scheduled_next_mode).data),
  }
  return [fact({ type: 'workflow.decided', entry: decision }, snapshot.updated_at)]
}

function promptOf({ prompt_format, prompt_sections, content }: StatePrompt): EventInput {
  const sections = prompt_sections.filter((name) => name !== '').map((name) => ({ name, digest: 'imported' }))
  const format = prompt_format === 'react' ? 'react' : 'native'
  return { type: 'prompt.rendered', format, sections, text: content }
}

function ledgerOf({ workflow_ledger: ledger, updated_at }: StateSnapshot): Fact[] {
  if (ledger === undefined) return []
  const taken: Ledger = {
    assumptions: ledger.assumptions.map((item) => ({
      ...itemOf(item),
      status: item.status === 'contradicted' ? item.status : 'open',
    })),
    acceptanceAnchors: ledger.acceptance_anchors.map((item) => ({
      ...itemOf(item),
      status: item.status === 'changed' ? item.status : 'active',
    })),
    decisionBoundaries: ledger.decision_boundaries.map((item) => ({
      ...itemOf(item),
      status: item.status === 'reopened' ? item.status : 'tracked',
    })),
  }
  return [fact({ type: 'ledger.updated', ledger: taken }, updated_at)]
}

function itemOf({ text, introduced_phase, updated_phase, evidence }: StateLedgerItem) {
  return {
    text,
    introducedPhase: introduced_phase ?? 'unknown',
    ...given('updatedPhase', updated_phase),
    ...listed('evidence', evidence),
  }
}

function reasonsOf({ evidence_summary, evidence_provenance, verification_observations }: StateReasons) {
  return {
    ...listed('evidenceSummary', evidence_summary),
    ...listed(
      'evidenceProvenance',
      evidence_provenance.map(({ category, source, summary, status, subject, detail }) => ({
        category: category ?? 'context',
        source: source ?? 'imported',
        summary,
        status,
        ...given('subject', subject),
        ...given('detail', detail),
      })),
    ),
    ...listed('verificationObservations', verification_observations.map(observationOf)),
  }
}

function observationOf(observation: StateReasons['verification_observations'][number]) {
  const { status, summary, command, kind, exit_code, detail, attempt_id, attempt_number, supersedes_attempt_id } =
    observation
  return {
    status,
    summary,
    ...given('command', command),
    ...given('kind', kind),
    ...given('exitCode', exit_code),
    ...given('detail', detail),
    ...given('attemptId', attempt_id),
    ...given('attemptNumber', attempt_number),
    ...given('supersedesAttemptId', supersedes_attempt_id),
  }
}

function formatOf(format: string | undefined): { readonly promptFormat?: 'native' | 'react' } {
  return format === 'native' || format === 'react' ? { promptFormat: format } : {}
}

function modeOf(mode: string | undefined): WorkflowMode {
  return WorkflowMode.safeParse(mode).data ?? 'execute'
}

/** A list field, left out when the list is empty, which means the same. */
function listed<Name extends string, Item>(name: Name, items: Item[]): { readonly [Key in Name]?: Item[] } {
  return items.length === 0 ? {} : given(name, items)
}
