import * as z from 'zod/mini'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { Timestamp } from './time.ts'
import { WorkflowMode } from './workflow-mode.ts'
import { described, lazyObject, nonEmpty, positive } from './schema.ts'

/** How a mode was chosen: by the router, by the user, by reusing a plan or brief, or by force. */
export const DecisionKind = /* @__PURE__ */ z.enum([
  'initial_route',
  'requested',
  'artifact_reuse',
  'handoff',
  'reentry',
  'forced',
])
export type DecisionKind = z.infer<typeof DecisionKind>

/** What an entry of the timeline decided: a route, a handoff, a verification, a completion or a repair. */
export const EntryKind = /* @__PURE__ */ z.enum([
  'route',
  'handoff',
  'reentry',
  'clarify_continue',
  'clarify_exit',
  'plan_refresh',
  'verify_observation',
  'verify_skip',
  'completion_check',
  'completion_continue',
  'completion_complete',
  'completion_finalize',
  'repair_retry',
  'repair_fail',
])
export type EntryKind = z.infer<typeof EntryKind>

/** Why a decision was taken: one reason, with where it was seen. */
export const EvidenceProvenance = /* @__PURE__ */ lazyObject(() => ({
  category: described(z.string(), 'action, install, verification, tracked_work, task_scope, response, …'),
  source: described(z.string(), 'where it was seen'),
  summary: described(z.string(), 'the reason in words'),
  status: described(z.enum(['supports', 'missing', 'contradicts', 'context']), 'what it says about being done'),
  subject: described(z.optional(z.string()), 'what it is about: a file, a command, an item'),
  detail: described(z.optional(z.string()), 'more of it, such as a line of output'),
}))
export type EvidenceProvenance = Immutable<z.infer<typeof EvidenceProvenance>>

/** What is known about one check at the time of a decision. */
export const VerificationObservation = /* @__PURE__ */ lazyObject(() => ({
  status: z.enum(['planned', 'pending', 'stale', 'passed', 'failed', 'skipped', 'missing']),
  summary: described(z.string(), 'the observation in words'),
  command: z.optional(z.string()),
  kind: described(z.optional(z.string()), 'test, typecheck, lint, build, …'),
  exitCode: z.optional(z.int()),
  detail: described(z.optional(z.string()), 'first line of the output'),
  attemptId: described(z.optional(z.string()), 'the attempt at verification that it belongs to'),
  attemptNumber: described(z.optional(z.int()), 'number of that attempt, counted from 1'),
  supersedesAttemptId: described(z.optional(z.string()), 'of a stale observation: the attempt that takes its place'),
}))
export type VerificationObservation = Immutable<z.infer<typeof VerificationObservation>>

const texts = /* @__PURE__ */ z.optional(/* @__PURE__ */ z.array(/* @__PURE__ */ z.string()))

/** A decision of the runtime, with its reasons. An absent list is an empty one. */
export const Decision = /* @__PURE__ */ lazyObject(() => ({
  id: described(Id, 'also the id of the message that its note becomes'),
  kind: EntryKind,
  mode: described(WorkflowMode, 'the mode that the decision leads to'),
  reasonCode: described(nonEmpty, 'why, for programs; new ones may come'),
  summary: described(z.string(), 'why, for people'),
  decisionKind: z.optional(DecisionKind),
  ambiguityScore: described(z.optional(z.number()), 'how unclear the task is, from 0 to 1'),
  complexityScore: described(z.optional(z.number()), 'how complex the task is, from 0 to 1'),
  routeScore: described(z.optional(z.number()), 'score of the chosen mode'),
  runnerUpMode: described(z.optional(WorkflowMode), 'mode with the next best score'),
  runnerUpScore: described(z.optional(z.number()), 'that score'),
  scheduledNextMode: described(z.optional(WorkflowMode), 'mode that is to follow'),
  unresolvedQuestions: described(texts, 'what is still open'),
  pressureSummary: described(texts, 'what pressed for the decision'),
  signalSummary: described(texts, 'signals that it rests on, such as ambiguity=0.35'),
  evidenceSummary: described(texts, 'its reasons in words'),
  evidenceProvenance: described(z.optional(z.array(EvidenceProvenance)), 'its reasons, with where they were seen'),
  verificationObservations: described(z.optional(z.array(VerificationObservation)), 'what was known about each check'),
  clarifyStage: described(z.optional(z.enum(['intent', 'boundaries', 'readiness'])), 'what clarification was about'),
  clarifyPressureKind: described(
    z.optional(z.enum(['example', 'tradeoff', 'assumption'])),
    'what a question pressed for',
  ),
  pressurePassComplete: described(z.optional(z.boolean()), 'whether an answer has named a boundary'),
  missingReadinessGates: described(texts, 'what must be known before work begins'),
  policyStage: described(z.optional(z.string()), 'text_loop, continuation_check, definition_of_done, verification, …'),
  policyOutcome: described(z.optional(z.string()), 'accept, continue, complete, finalize, retry, …'),
  promptFormat: described(z.optional(z.enum(['native', 'react'])), 'format of the system prompt at that time'),
  promptSections: described(texts, 'sections of the system prompt at that time'),
  artifactPaths: described(texts, 'files of the brief and the plan'),
}))
export type Decision = Immutable<z.infer<typeof Decision>>

/** A decision in its place in the session. */
export const TimelineEntry = /* @__PURE__ */ lazyObject(() => ({
  ...Decision.shape,
  seq: described(positive, 'the event that recorded it'),
  at: described(Timestamp, 'time of that event'),
}))
export type TimelineEntry = Immutable<z.infer<typeof TimelineEntry>>

/** A line of the completion trace. Only sessions imported from older systems store one; ours is read off the timeline. */
export const CompletionTraceEntry = /* @__PURE__ */ lazyObject(() => ({
  stage: z.string(),
  outcome: z.string(),
  decisionCode: z.string(),
  decisionSummary: z.string(),
  evidenceSummary: texts,
  evidenceProvenance: z.optional(z.array(EvidenceProvenance)),
  verificationObservations: z.optional(z.array(VerificationObservation)),
}))
export type CompletionTraceEntry = Immutable<z.infer<typeof CompletionTraceEntry>>
