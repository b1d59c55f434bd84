import * as z from 'zod/mini'
import { Id } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { Via } from '../words/inbox-message.ts'
import { JsonObject, JsonValue } from '../words/json.ts'
import { FilePart, ToolOutcome } from '../words/message.ts'
import { Effect, PermissionRule, Permission, Reach, WallsRecord } from '../words/policy.ts'
import { StoredText } from '../words/stored-text.ts'
import { defineEvent } from './define.ts'
import { count, described, lazyObject, nonEmpty, object, positive } from '../words/schema.ts'

/** A path that a call would read or change, resolved. Permission rules match against it. */
export const TouchedPath = /* @__PURE__ */ lazyObject(() => ({
  path: described(nonEmpty, 'real path, symbolic links resolved'),
  inside: described(z.boolean(), 'whether it lies in the workspace'),
  access: described(
    z.optional(z.enum(['writable', 'readonly', 'hidden'])),
    'what work in the workspace can do with it; absent: what lies inside is writable, all else can be read',
  ),
}))

/** One file that a call is going to change. Null means that the file does not exist. */
export const FileIntent = /* @__PURE__ */ lazyObject(() => ({
  path: described(nonEmpty, 'real path'),
  before: described(z.nullable(z.string()), 'hash of the content before'),
  after: described(z.nullable(z.string()), 'hash of the content after'),
  preimage: described(z.optional(StoredText), 'of older versions: the content before'),
  mode: described(z.optional(count), 'of older versions: permission bits before'),
  lines: described(z.optional(count), 'lines that the change adds and removes'),
}))

/** A question that a call asks the user. */
export const QuestionText = /* @__PURE__ */ lazyObject(() => ({
  text: described(StoredText, 'what the user reads'),
  title: described(z.optional(z.string()), 'a few words above it'),
  options: described(
    z.optional(z.array(object({ label: z.string(), description: z.optional(z.string()) }))),
    'answers to choose from',
  ),
}))
export type QuestionText = Immutable<z.infer<typeof QuestionText>>

const callId = /* @__PURE__ */ described(Id, 'a call of the last answer that has no result yet')

/** A command that ran as a hook, and how it ended. */
export const HookRun = /* @__PURE__ */ lazyObject(() => ({
  command: described(nonEmpty, 'the shell command'),
  source: described(nonEmpty, 'the file that names it'),
  origin: described(z.enum(['user', 'project']), 'whose file that is'),
  given: described(nonEmpty, 'sha256 of what it was given on standard input'),
  ended: described(z.enum(['exited', 'timed_out', 'cancelled', 'killed', 'not_started']), 'how it ended'),
  exitCode: described(z.optional(z.int()), 'of its shell'),
  durationMs: count,
  reach: described(Reach, 'what it could touch'),
  walls: described(z.optional(z.string()), 'the walls that it ran in: bubblewrap, none'),
}))
export type HookRun = Immutable<z.infer<typeof HookRun>>

/** A command that begins as a hook. */
export const HookStart = /* @__PURE__ */ lazyObject(() => ({
  command: described(nonEmpty, 'the shell command'),
  source: described(nonEmpty, 'the file that names it'),
  origin: described(z.enum(['user', 'project']), 'whose file that is'),
  given: described(nonEmpty, 'sha256 of what it is given on standard input'),
  reach: described(Reach, 'what it can touch'),
}))
export type HookStart = Immutable<z.infer<typeof HookStart>>

const hookRunId = /* @__PURE__ */ described(Id, 'of this run of the hook')

export const callEvents = [
  /* @__PURE__ */ defineEvent('call.examined', 'A call was looked at, without any effect.', () => ({
    callId,
    effect: Effect,
    reach: described(z.optional(Reach), 'what it needs to be able to touch'),
    why: described(z.optional(z.string()), 'why it needs more than usual, in the words of the model'),
    paths: described(z.optional(z.array(TouchedPath)), 'what it will look at or change'),
    hosts: described(z.optional(z.array(nonEmpty)), 'the hosts of the network that it will ask, and no other'),
    intent: described(z.optional(z.array(FileIntent)), 'what it will change; tells after a crash what it did'),
    preview: described(z.optional(StoredText), 'a diff, or the command as it will run'),
    command: described(z.optional(z.string()), 'the shell command, when the call runs one'),
    question: described(z.optional(QuestionText), 'the call asks the user, and the answer is its result'),
    apart: described(
      z.optional(z.literal(true)),
      'it works in a copy, and takes over what it changed in the order of the calls: others can run beside it',
    ),
    invalid: described(z.optional(z.string()), 'why the call cannot run; goes to the model'),
  })),
  /* @__PURE__ */ defineEvent('permission.decided', 'Whether a call may run.', () => ({
    callId,
    permit: Permission,
    by: described(z.string(), 'policy, user, hook, …'),
    rule: described(z.optional(PermissionRule), 'the rule that decided'),
    reason: described(z.optional(z.string()), 'why, in words'),
    reach: described(z.optional(Reach), 'what it may touch'),
  })),
  /* @__PURE__ */ defineEvent('question.asked', 'The user is asked.', () => ({
    questionId: Id,
    kind: described(z.enum(['permit', 'question']), 'whether it is about letting a call run, or about anything else'),
    ...QuestionText.shape,
    callId: described(z.optional(Id), 'the call that it is about'),
  })),
  /* @__PURE__ */ defineEvent('question.answered', 'The question was answered, or will not be.', () => ({
    questionId: Id,
    outcome: described(
      z.enum(['answered', 'unanswered']),
      'unanswered: there was no one to ask, or no answer will come any more',
    ),
    by: described(z.optional(z.string()), 'who answered'),
    answer: described(z.optional(StoredText), 'the words of the user'),
    permit: described(z.optional(z.enum(['allow', 'deny'])), 'what the user decided about the call'),
    scope: described(z.optional(z.enum(['once', 'session', 'always'])), 'how long a permission holds'),
    extent: described(
      z.optional(z.enum(['call', 'kind'])),
      'what it holds for: this very call, or its kind, as where this is absent',
    ),
    via: described(z.optional(Via), 'how the answer came, where it was not given to the process that recorded it'),
  })),
  /* @__PURE__ */ defineEvent('hook.finished', 'A hook ran.', () => ({
    hook: described(nonEmpty, 'its name'),
    on: described(z.string(), 'pre_tool, post_tool, tool_failure, prompt_submitted, stop, pre_compact, …'),
    decision: described(z.enum(['continue', 'deny', 'cancel', 'fail']), 'what shall happen next'),
    callId: described(z.optional(Id), 'the call that it ran for'),
    permit: described(z.optional(Permission), 'overrides the policy'),
    input: described(z.optional(JsonValue), 'the arguments as the hook changed them'),
    message: described(z.optional(z.string()), 'what the hook said'),
    context: described(z.optional(nonEmpty), 'what the model is told before its next answer'),
    answers: described(
      z.optional(z.literal('allow')),
      'the answer to the question about the call, where the mode asks one; it is no answer to a rule',
    ),
    note: described(z.optional(nonEmpty), 'what only the user is told'),
    ran: described(z.optional(HookRun), 'of a hook that is a command: which, and how it ended'),
  })),
  /* @__PURE__ */ defineEvent(
    'hook.started',
    'A hook begins that the session does not wait for. Durable before it has any effect.',
    () => ({
      id: hookRunId,
      hook: described(nonEmpty, 'its name'),
      on: described(z.string(), 'pre_tool, post_tool, …, as in hook.finished'),
      callId: described(z.optional(Id), 'the call that it runs for'),
      runs: described(HookStart, 'the command'),
    }),
  ),
  /* @__PURE__ */ defineEvent(
    'hook.ended',
    'A hook that the session did not wait for has ended. Where a process ends without this, it is not known how.',
    () => ({
      id: hookRunId,
      hook: described(nonEmpty, 'its name'),
      context: described(z.optional(nonEmpty), 'what the model is told when the next turn begins'),
      note: described(z.optional(nonEmpty), 'what only the user is told'),
      ran: described(HookRun, 'which command, and how it ended'),
    }),
  ),
  /* @__PURE__ */ defineEvent('tool.started', 'A call starts to run. Durable before it has any effect.', () => ({
    callId,
    input: described(z.optional(JsonValue), 'the arguments, when they are not those of the model'),
    walls: described(z.optional(WallsRecord), 'the walls that it runs in, or why there are none'),
  })),
  /* @__PURE__ */ defineEvent('tool.finished', 'A call was answered. Exactly once for every call.', () => ({
    callId,
    outcome: ToolOutcome,
    text: described(StoredText, 'what the model is told'),
    files: described(z.optional(z.array(FilePart)), 'files and images that belong to the result'),
    metadata: described(z.optional(JsonObject), 'what people and programs want to know of it'),
    secretsReplaced: described(z.optional(positive), 'how many secrets were replaced in its text and output'),
  })),
] as const
