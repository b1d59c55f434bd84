import * as z from 'zod/mini'
import { FileIntent, QuestionText, TouchedPath } from '../events/calls.ts'
import { FinishReason, ModelFailure, RequestPurpose } from '../events/model.ts'
import { inputWishes, Lane } from '../events/turn.ts'
import { Id } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { CheckStanding, EndStatement, Judgement, TurnEnd } from '../words/judgement.ts'
import { AnswerPart, FilePart, Message, QuotedFile, ToolCall, ToolOutcome } from '../words/message.ts'
import { Phase } from '../words/phase.ts'
import { Effect, PermissionRule, Permission, Reach } from '../words/policy.ts'
import { StoredText } from '../words/stored-text.ts'
import { Timestamp } from '../words/time.ts'
import { Experiment, VerificationGround } from '../words/trial.ts'
import { Totals } from '../words/usage.ts'
import { Verdict } from '../words/verdict.ts'
import { WorkflowMode } from '../words/workflow-mode.ts'
import { count, described, lazyObject, object, positive } from '../words/schema.ts'

/** A user message that no turn has started with yet. */
export const QueuedInput = /* @__PURE__ */ lazyObject(() => ({
  inputId: Id,
  text: StoredText,
  files: z.optional(z.array(FilePart)),
  quoted: z.optional(z.array(QuotedFile)),
  source: z.optional(z.string()),
  ...inputWishes(),
  at: Timestamp,
}))
export type QueuedInput = Immutable<z.infer<typeof QueuedInput>>

/** The latest model request of a turn. */
export const Request = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  purpose: RequestPurpose,
  attempt: positive,
  epoch: described(count, 'claim in which it was made; an older one was cut off'),
  status: z.enum(['asked', 'answered', 'failed', 'interrupted']),
  at: Timestamp,
  seq: described(positive, 'the event that made it'),
  partial: described(z.string(), 'text that has arrived so far'),
  partialReasoning: described(z.string(), 'reasoning that has arrived so far'),
  model: described(z.optional(z.string()), 'provider/id that was asked'),
  atMostUsd: described(z.optional(z.number()), 'under a budget: what it can cost at most'),
  waitedMs: described(z.optional(count), 'time that this model was waited for, over all attempts'),
  refusals: described(z.optional(count), 'earlier attempts that the server asked to make again later'),
  error: described(z.optional(ModelFailure), 'why it failed'),
  finishReason: z.optional(FinishReason),
  answer: described(
    z.optional(z.array(AnswerPart)),
    'an answer that does not become a message: a brief, a plan, a summary, nothing',
  ),
}))
export type Request = Immutable<z.infer<typeof Request>>

/** A call of the last answer, and its progress. */
export const OpenCall = /* @__PURE__ */ lazyObject(() => ({
  call: ToolCall,
  requestId: Id,
  examined: z.optional(
    object({
      effect: Effect,
      reach: z.optional(Reach),
      why: z.optional(z.string()),
      paths: z.optional(z.array(TouchedPath)),
      hosts: z.optional(z.array(z.string())),
      intent: z.optional(z.array(FileIntent)),
      preview: z.optional(StoredText),
      command: z.optional(z.string()),
      question: z.optional(QuestionText),
      apart: z.optional(z.literal(true)),
      invalid: z.optional(z.string()),
    }),
  ),
  permit: z.optional(
    object({
      permit: Permission,
      by: z.string(),
      rule: z.optional(PermissionRule),
      reason: z.optional(z.string()),
      reach: z.optional(Reach),
    }),
  ),
  startedEpoch: described(z.optional(count), 'claim in which it started; an older one was cut off'),
  contained: described(
    z.optional(z.literal(true)),
    'walls kept what it did within the workspace: nothing of it is outside of that folder',
  ),
  outcome: described(z.optional(ToolOutcome), 'absent until the call is answered'),
}))
export type OpenCall = Immutable<z.infer<typeof OpenCall>>

/** The used budgets of a turn. They start at zero with every turn. */
export const Spent = /* @__PURE__ */ lazyObject(() => ({
  iterations: described(count, 'answers that were asked for'),
  nudges: described(count, 'times the turn was told to go on'),
  repairs: described(count, 'answers that were asked for again'),
  recoveries: described(count, 'answers whose calls were read out of text'),
  toolErrors: described(count, 'failed calls in a row'),
  compactions: described(count, 'compactions, failed ones included'),
  crashes: described(count, 'requests that the end of the process cut off'),
  attempts: described(count, 'requests, second attempts included'),
  retries: described(count, 'times that failed checks sent the work back'),
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

/** The effects of a turn's calls, according to their outcomes. */
export const Work = /* @__PURE__ */ lazyObject(() => ({
  calls: described(count, 'calls that ended well'),
  changes: described(count, 'calls that ended well and may have changed something'),
  lines: described(count, 'lines added and removed, as far as calls told'),
  files: described(z.array(z.string()), 'files that calls have changed, in the order of the first change'),
  commands: described(
    z.array(object({ command: z.string(), outcome: ToolOutcome })),
    'the latest shell commands, in order',
  ),
  lastEffectSeq: described(z.nullable(positive), 'the latest start or end of a call that may change something'),
  outside: described(z.optional(z.literal(true)), 'a call could change what lies outside of the project'),
}))
export type Work = Immutable<z.infer<typeof Work>>

export const noWork: Work = { calls: 0, changes: 0, lines: 0, files: [], commands: [], lastEffectSeq: null }

/** The running turn. */
export const Turn = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  inputId: Id,
  startedAt: Timestamp,
  startedSeq: described(positive, 'the event that started it'),
  lane: Lane,
  requestedMode: described(z.optional(WorkflowMode), 'the mode that was asked for'),
  phase: Phase,
  doneWhen: inputWishes().doneWhen,
  pending: described(z.nullable(QueuedInput), 'the input, until the first request makes it a message'),
  notes: described(z.array(Message), 'what the runtime has to say right behind the pending input'),
  request: described(z.nullable(Request), 'the latest request'),
  calls: described(z.array(OpenCall), 'calls of the last answer'),
  question: described(
    z.nullable(
      object({
        id: Id,
        kind: z.enum(['permit', 'question']),
        callId: z.optional(Id),
        answer: described(
          z.optional(
            object({
              outcome: z.enum(['answered', 'unanswered']),
              answer: z.optional(StoredText),
              permit: z.optional(z.enum(['allow', 'deny'])),
              scope: z.optional(z.enum(['once', 'session', 'always'])),
              extent: z.optional(z.enum(['call', 'kind'])),
            }),
          ),
          'absent while the question is open',
        ),
      }),
    ),
    'the latest question since the last request',
  ),
  hooks: described(
    z.array(
      object({
        hook: z.string(),
        on: z.string(),
        decision: z.enum(['continue', 'deny', 'cancel', 'fail']),
        callId: z.optional(Id),
        permit: z.optional(Permission),
        message: z.optional(z.string()),
        answers: z.optional(z.literal('allow')),
      }),
    ),
    'hooks that ran since the last request',
  ),
  wait: z.nullable(
    object({
      until: Timestamp,
      why: z.string(),
      requestId: z.optional(Id),
      ms: described(z.optional(count), 'how long it is, in milliseconds'),
    }),
  ),
  waited: described(z.boolean(), 'whether a wait has ended since the last request'),
  stop: described(z.nullable(object({ by: z.string(), reason: z.optional(z.string()) })), 'who asked the turn to stop'),
  spent: Spent,
  work: Work,
  statement: described(z.optional(EndStatement), 'what the model last said about its end'),
  asked: described(z.optional(Id), 'the message in which the model was asked how the turn ended'),
  verification: described(
    z.optional(
      object({
        attempt: positive,
        seq: described(positive, 'the event that began it'),
        ground: VerificationGround,
        next: described(
          z.nullable(object({ checkId: Id, experiment: Experiment })),
          'of the check that is being tried: the room that comes next',
        ),
        checks: described(z.array(CheckStanding), 'where those stand that were judged'),
        failedOn: described(z.nullable(z.string()), 'the tree on which they have sent the work back'),
        again: described(
          z.optional(count),
          'how often it began anew for the same answer, because files had changed while checks ran',
        ),
      }),
    ),
    'the latest verification of the turn',
  ),
  model: described(z.optional(z.string()), 'the model that the turn goes on with, instead of the one of the policy'),
  usage: Totals,
  childUsage: described(z.optional(Totals), 'of the child sessions that finished in this turn; no part of `usage`'),
}))
export type Turn = Immutable<z.infer<typeof Turn>>

/** The part of a turn that is kept after it has ended. */
export const EndedTurn = /* @__PURE__ */ lazyObject(() => ({
  id: Id,
  inputId: Id,
  lane: Lane,
  startedAt: Timestamp,
  finishedAt: Timestamp,
  reason: z.string(),
  summary: z.optional(z.string()),
  responseId: z.optional(Id),
  verdict: z.optional(Verdict),
  judgement: z.optional(Judgement),
  end: z.optional(TurnEnd),
  notStored: z.optional(z.string()),
  spent: Spent,
  usage: Totals,
  childUsage: z.optional(Totals),
}))
export type EndedTurn = Immutable<z.infer<typeof EndedTurn>>

/** The calls of a turn that have no result yet. A turn cannot end before each of them has one. */
export function unansweredCalls(turn: Turn | null): readonly OpenCall[] {
  return turn === null ? [] : turn.calls.filter((open) => open.outcome === undefined)
}
