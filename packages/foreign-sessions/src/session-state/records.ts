import { JsonValue } from '@loader/session-core'
import * as z from 'zod'
import { count, flag, loose, looseList, text } from '../source/loose.ts'

const names = looseList(z.string())
const number = z.number().optional().catch(undefined)

const Message = z.object({
  role: z.string(),
  content: z.string().catch(''),
  tool_calls: looseList(
    z.object({ id: z.string().min(1), name: z.string().min(1), arguments: z.unknown().pipe(JsonValue).catch({}) }),
  ),
  tool_results: looseList(z.object({ tool_call_id: z.string(), content: z.string().catch(''), is_error: flag })),
})
export type StateMessage = z.infer<typeof Message>

const Provenance = z.object({
  category: text,
  source: text,
  summary: z.string(),
  status: z.enum(['supports', 'missing', 'contradicts', 'context']).catch('context'),
  subject: text,
  detail: text,
})
const Observation = z.object({
  status: z.enum(['planned', 'pending', 'stale', 'passed', 'failed', 'skipped', 'missing']).catch('missing'),
  summary: z.string().catch(''),
  command: text,
  kind: text,
  exit_code: z.int().optional().catch(undefined),
  detail: text,
  attempt_id: text,
  attempt_number: z.int().optional().catch(undefined),
  supersedes_attempt_id: text,
})
const reasons = {
  evidence_summary: names,
  evidence_provenance: looseList(Provenance),
  verification_observations: looseList(Observation),
}
export type StateReasons = z.infer<z.ZodObject<typeof reasons>>

export const StateTimelineEntry = z.object({
  timestamp: text,
  kind: text,
  mode: text,
  reason_code: text,
  summary: text,
  decision_kind: text,
  route_score: number,
  runner_up_mode: text,
  runner_up_score: number,
  scheduled_next_mode: text,
  unresolved_questions: names,
  signal_summary: names,
  ...reasons,
  clarify_stage: text,
  clarify_pressure_kind: text,
  pressure_pass_complete: flag,
  missing_readiness_gates: names,
  policy_stage: text,
  policy_outcome: text,
  prompt_format: text,
  prompt_sections: names,
  artifact_paths: names,
})
export type StateTimelineEntry = z.infer<typeof StateTimelineEntry>

const Trace = z.object({
  stage: z.string(),
  outcome: z.string(),
  decision_code: z.string(),
  decision_summary: z.string().catch(''),
  ...reasons,
})

const ledgerItem = z.object({
  text: z.string().min(1),
  status: text,
  introduced_phase: text,
  updated_phase: text,
  evidence: names,
})
export type StateLedgerItem = z.infer<typeof ledgerItem>

const Prompt = z.object({
  timestamp: text,
  prompt_format: text,
  prompt_sections: names,
  content: z.string().min(1),
})
export type StatePrompt = z.infer<typeof Prompt>

/** A snapshot of a session as the older Loader wrote it. Missing fields have defaults. */
export const StateSnapshot = z.object({
  version: count,
  session_id: z.string().min(1),
  created_at: z.string(),
  updated_at: z.string(),
  messages: looseList(Message),
  usage: z.record(z.string(), z.unknown()).optional().catch(undefined),
  current_task: text,
  workflow_mode: text,
  workflow_reason_code: text,
  workflow_reason_summary: text,
  workflow_decision_kind: text,
  workflow_ambiguity_score: number,
  workflow_complexity_score: number,
  workflow_scheduled_next_mode: text,
  active_turn_phase: text,
  permission_mode: text,
  completion_trace: looseList(Trace),
  workflow_timeline: looseList(StateTimelineEntry),
  workflow_ledger: loose(
    z.object({
      assumptions: looseList(ledgerItem),
      acceptance_anchors: looseList(ledgerItem),
      decision_boundaries: looseList(ledgerItem),
    }),
  ),
  prompt_history: looseList(Prompt),
})
export type StateSnapshot = z.infer<typeof StateSnapshot>
