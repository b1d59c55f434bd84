import * as z from 'zod'
import { FileIntent, QuestionText, TouchedPath } from '../events/calls.ts'
import { FinishReason, ModelFailure, RequestPurpose } from '../events/model.ts'
import { inputWishes, Lane } from '../events/turn.ts'
import { Id } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { CheckStanding, EndStatement, Judgement, TurnEnd } from '../words/judgement.ts'
import { AnswerPart, FilePart, Message, ToolCall, ToolOutcome } from '../words/message.ts'
import { Phase } from '../words/phase.ts'
import { Effect, PermissionRule, Permit, Reach } from '../words/policy.ts'
import { StoredText } from '../words/stored-text.ts'
import { Timestamp } from '../words/time.ts'
import { Experiment, VerificationGround } from '../words/trial.ts'
import { Totals } from '../words/usage.ts'
import { Verdict } from '../words/verdict.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { lazyObject } from '../words/schema.ts'

const count = /* @__PURE__ */ z.int().min(0)

export const QueuedInput = /* @__PURE__ */ lazyObject(() => ({
  inputId: Id,
  text: StoredText,
  files: z.array(FilePart).optional(),
  source: z.string().optional(),
  ...inputWishes(),
  at: Timestamp,
}))
export type QueuedInput = Immutable<z.infer<typeof QueuedInput>>

/** The model request of a turn that was made last. */
export const Request = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  purpose: RequestPurpose,
  attempt: z.int().min(1),
  epoch: z.int().min(0).describe('claim in which it was made; an older one was cut off'),
  status: z.enum(['asked', 'answered', 'failed', 'interrupted']),
  at: Timestamp,
  seq: z.int().min(1).describe('the event that made it'),
  partial: z.string().describe('text that has arrived so far'),
  partialReasoning: z.string().describe('reasoning that has arrived so far'),
  error: ModelFailure.optional().describe('why it failed'),
  finishReason: FinishReason.optional(),
  answer: z.array(AnswerPart).optional().describe('an answer that is no message: a brief, a plan, a summary, nothing'),
}))
export type Request = Immutable<z.infer<typeof Request>>

/** A call of the last answer, and how far it has come. */
export const OpenCall = /* @__PURE__ */ lazyObject(() => ({
  call: ToolCall,
  requestId: Id,
  examined: z
    .object({
      effect: Effect,
      reach: Reach.optional(),
      why: z.string().optional(),
      paths: z.array(TouchedPath).optional(),
      intent: z.array(FileIntent).optional(),
      preview: StoredText.optional(),
      command: z.string().optional(),
      question: QuestionText.optional(),
      invalid: z.string().optional(),
    })
    .optional(),
  permit: z
    .object({
      permit: Permit,
      by: z.string(),
      rule: PermissionRule.optional(),
      reason: z.string().optional(),
      reach: Reach.optional(),
    })
    .optional(),
  startedEpoch: z.int().min(0).optional().describe('claim in which it started; an older one was cut off'),
  outcome: ToolOutcome.optional().describe('absent until the call is answered'),
}))
export type OpenCall = Immutable<z.infer<typeof OpenCall>>

/** What a turn has spent of its budgets. They begin at zero with every turn. */
export const Spent = /* @__PURE__ */ lazyObject(() => ({
  iterations: count.describe('answers that were asked for'),
  nudges: count.describe('times the turn was told to go on'),
  repairs: count.describe('answers that were asked for again'),
  recoveries: count.describe('answers whose calls were read out of text'),
  toolErrors: count.describe('failed calls in a row'),
  compactions: count.describe('compactions, failed ones included'),
  crashes: count.describe('requests that the end of the process cut off'),
  attempts: count.describe('requests, second attempts included'),
  retries: count.describe('times that failed checks sent the work back'),
}))
export type Spent = Immutable<z.infer<typeof Spent>>

export const nothingSpent: Spent = {
  iterations: 0,
  nudges: 0,
  repairs: 0,
  recoveries: 0,
  toolErrors: 0,
  compactions: 0,
  crashes: 0,
  attempts: 0,
  retries: 0,
}

/** How many commands and files a turn remembers. */
export const workCaps = { commands: 50, files: 200 } as const

/** What the calls of a turn have done, as far as their outcomes tell. */
export const Work = /* @__PURE__ */ lazyObject(() => ({
  calls: count.describe('calls that ended well'),
  changes: count.describe('calls that ended well and may have changed something'),
  lines: count.describe('lines added and removed, as far as calls told'),
  files: z.array(z.string()).describe('files that calls have changed, in the order of the first change'),
  commands: z
    .array(z.object({ command: z.string(), outcome: ToolOutcome }))
    .describe('the latest shell commands, in order'),
  lastEffectSeq: z.int().min(1).nullable().describe('the latest start or end of a call that may change something'),
  outside: z.literal(true).optional().describe('a call could change what lies outside of the project'),
}))
export type Work = Immutable<z.infer<typeof Work>>

export const noWork: Work = { calls: 0, changes: 0, lines: 0, files: [], commands: [], lastEffectSeq: null }

/** The turn that is under way. */
export const Turn = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  inputId: Id,
  startedAt: Timestamp,
  startedSeq: z.int().min(1).describe('the event that started it'),
  lane: Lane,
  requestedMode: WorkflowMode.optional().describe('the mode that was asked for'),
  phase: Phase,
  doneWhen: inputWishes().doneWhen,
  pending: QueuedInput.nullable().describe('the input, until the first request makes it a message'),
  notes: z.array(Message).describe('what the runtime has to say right behind the pending input'),
  request: Request.nullable().describe('the latest request'),
  calls: z.array(OpenCall).describe('calls of the last answer'),
  question: z
    .object({
      id: Id,
      kind: z.enum(['permit', 'question']),
      callId: Id.optional(),
      answer: z
        .object({
          outcome: z.enum(['answered', 'unanswered']),
          answer: StoredText.optional(),
          permit: z.enum(['allow', 'deny']).optional(),
          scope: z.enum(['once', 'session', 'always']).optional(),
        })
        .optional()
        .describe('absent while the question is open'),
    })
    .nullable()
    .describe('the latest question since the last request'),
  hooks: z
    .array(
      z.object({
        hook: z.string(),
        on: z.string(),
        decision: z.enum(['continue', 'deny', 'cancel', 'fail']),
        callId: Id.optional(),
        permit: Permit.optional(),
        message: z.string().optional(),
      }),
    )
    .describe('hooks that ran since the last request'),
  wait: z.object({ until: Timestamp, why: z.string(), requestId: Id.optional() }).nullable(),
  waited: z.boolean().describe('whether a wait has ended since the last request'),
  stop: z.object({ by: z.string(), reason: z.string().optional() }).nullable().describe('who asked the turn to stop'),
  spent: Spent,
  work: Work,
  statement: EndStatement.optional().describe('what the model last said about its end'),
  asked: Id.optional().describe('the message in which the model was asked how the turn ended'),
  verification: z
    .object({
      attempt: z.int().min(1),
      seq: z.int().min(1).describe('the event that began it'),
      ground: VerificationGround,
      next: z
        .object({ checkId: Id, experiment: Experiment })
        .nullable()
        .describe('of the check that is being tried: the room that comes next'),
      checks: z.array(CheckStanding).describe('where those stand that were judged'),
      failedOn: z.string().nullable().describe('the tree on which they have sent the work back'),
    })
    .optional()
    .describe('the latest verification of the turn'),
  usage: Totals,
}))
export type Turn = Immutable<z.infer<typeof Turn>>

/** What remains of a turn when it has ended. */
export const EndedTurn = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  inputId: Id,
  lane: Lane,
  startedAt: Timestamp,
  finishedAt: Timestamp,
  reason: z.string(),
  summary: z.string().optional(),
  responseId: Id.optional(),
  verdict: Verdict.optional(),
  judgement: Judgement.optional(),
  end: TurnEnd.optional(),
  notStored: z.string().optional(),
  spent: Spent,
  usage: Totals,
}))
export type EndedTurn = Immutable<z.infer<typeof EndedTurn>>

export function unansweredCalls(turn: Turn | null): readonly OpenCall[] {
  return turn === null ? [] : turn.calls.filter((open) => open.outcome === undefined)
}
