import * as z from 'zod'
import { Id } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { Timestamp } from './time.ts'
import { WorkflowMode } from './workflow-mode.ts'
import { lazyObject } from './schema.ts'

export const DecisionKind = /* @__PURE__ */ z.enum([
  'initial_route',
  'requested',
  'artifact_reuse',
  'handoff',
  'reentry',
  'forced',
])
export type DecisionKind = z.infer<typeof DecisionKind>

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
  category: z.string().describe('action, install, verification, tracked_work, task_scope, response, …'),
  source: z.string().describe('where it was seen'),
  summary: z.string().describe('the reason in words'),
  status: z.enum(['supports', 'missing', 'contradicts', 'context']).describe('what it says about being done'),
  subject: z.string().optional().describe('what it is about: a file, a command, an item'),
  detail: z.string().optional().describe('more of it, such as a line of output'),
}))
export type EvidenceProvenance = Immutable<z.infer<typeof EvidenceProvenance>>

/** What is known about one check at the time of a decision. */
export const VerificationObservation = /* @__PURE__ */ lazyObject(() => ({
  status: z.enum(['planned', 'pending', 'stale', 'passed', 'failed', 'skipped', 'missing']),
  summary: z.string().describe('the observation in words'),
  command: z.string().optional(),
  kind: z.string().optional().describe('test, typecheck, lint, build, …'),
  exitCode: z.int().optional(),
  detail: z.string().optional().describe('first line of the output'),
  attemptId: z.string().optional().describe('the attempt at verification that it belongs to'),
  attemptNumber: z.int().optional().describe('number of that attempt, counted from 1'),
  supersedesAttemptId: z.string().optional().describe('of a stale observation: the attempt that takes its place'),
}))
export type VerificationObservation = Immutable<z.infer<typeof VerificationObservation>>

const texts = /* @__PURE__ */ z.array(/* @__PURE__ */ z.string()).optional()

/** A decision of the runtime, with its reasons. An absent list is an empty one. */
export const Decision = /* @__PURE__ */ lazyObject(() => ({
  id: Id.describe('also the id of the message that its note becomes'),
  kind: EntryKind,
  mode: WorkflowMode.describe('the mode that the decision leads to'),
  reasonCode: z.string().min(1).describe('why, for programs; new ones may come'),
  summary: z.string().describe('why, for people'),
  decisionKind: DecisionKind.optional(),
  ambiguityScore: z.number().optional().describe('how unclear the task is, from 0 to 1'),
  complexityScore: z.number().optional().describe('how complex the task is, from 0 to 1'),
  routeScore: z.number().optional().describe('score of the chosen mode'),
  runnerUpMode: WorkflowMode.optional().describe('mode with the next best score'),
  runnerUpScore: z.number().optional().describe('that score'),
  scheduledNextMode: WorkflowMode.optional().describe('mode that is to follow'),
  unresolvedQuestions: texts.describe('what is still open'),
  pressureSummary: texts.describe('what pressed for the decision'),
  signalSummary: texts.describe('signals that it rests on, such as ambiguity=0.35'),
  evidenceSummary: texts.describe('its reasons in words'),
  evidenceProvenance: z.array(EvidenceProvenance).optional().describe('its reasons, with where they were seen'),
  verificationObservations: z.array(VerificationObservation).optional().describe('what was known about each check'),
  clarifyStage: z.enum(['intent', 'boundaries', 'readiness']).optional().describe('what clarification was about'),
  clarifyPressureKind: z.enum(['example', 'tradeoff', 'assumption']).optional().describe('what a question pressed for'),
  pressurePassComplete: z.boolean().optional().describe('whether an answer has named a boundary'),
  missingReadinessGates: texts.describe('what must be known before work begins'),
  policyStage: z.string().optional().describe('text_loop, continuation_check, definition_of_done, verification, …'),
  policyOutcome: z.string().optional().describe('accept, continue, complete, finalize, retry, …'),
  promptFormat: z.enum(['native', 'react']).optional().describe('format of the system prompt at that time'),
  promptSections: texts.describe('sections of the system prompt at that time'),
  artifactPaths: texts.describe('files of the brief and the plan'),
}))
export type Decision = Immutable<z.infer<typeof Decision>>

/** A decision in its place in the session. */
export const TimelineEntry = /* @__PURE__ */ lazyObject(() => ({
  ...Decision.shape,
  seq: z.int().min(1).describe('the event that recorded it'),
  at: Timestamp.describe('time of that event'),
}))
export type TimelineEntry = Immutable<z.infer<typeof TimelineEntry>>

/** A line of the completion trace. Only sessions imported from older systems store one; ours is read off the timeline. */
export const CompletionTraceEntry = /* @__PURE__ */ lazyObject(() => ({
  stage: z.string(),
  outcome: z.string(),
  decisionCode: z.string(),
  decisionSummary: z.string(),
  evidenceSummary: texts,
  evidenceProvenance: z.array(EvidenceProvenance).optional(),
  verificationObservations: z.array(VerificationObservation).optional(),
}))
export type CompletionTraceEntry = Immutable<z.infer<typeof CompletionTraceEntry>>
