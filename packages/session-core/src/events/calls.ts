import * as z from 'zod'
import { Id } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { JsonObject, JsonValue } from '../words/json.ts'
import { FilePart, ToolOutcome } from '../words/message.ts'
import { Effect, PermissionRule, Permit, Reach, WallsRecord } from '../words/policy.ts'
import { StoredText } from '../words/stored-text.ts'
import { defineEvent } from './define.ts'
import { lazyObject } from '../words/schema.ts'

export const TouchedPath = /* @__PURE__ */ lazyObject(() => ({
  path: z.string().min(1).describe('real path, symbolic links resolved'),
  inside: z.boolean().describe('whether it lies in the workspace'),
  access: z
    .enum(['writable', 'readonly', 'hidden'])
    .optional()
    .describe('what work in the workspace can do with it; absent: what lies inside is writable, all else can be read'),
}))

/** One file that a call is going to change. Null stands for a file that is not there. */
export const FileIntent = /* @__PURE__ */ lazyObject(() => ({
  path: z.string().min(1).describe('real path'),
  before: z.string().nullable().describe('hash of the content before'),
  after: z.string().nullable().describe('hash of the content after'),
  preimage: StoredText.optional().describe('of older versions: the content before'),
  mode: z.int().min(0).optional().describe('of older versions: permission bits before'),
  lines: z.int().min(0).optional().describe('lines that the change adds and removes'),
}))

/** What a call wants to know from the user. */
export const QuestionText = /* @__PURE__ */ lazyObject(() => ({
  text: StoredText.describe('what the user reads'),
  title: z.string().optional().describe('a few words above it'),
  options: z
    .array(z.object({ label: z.string(), description: z.string().optional() }))
    .optional()
    .describe('answers to choose from'),
}))
export type QuestionText = Immutable<z.infer<typeof QuestionText>>

const callId = /* @__PURE__ */ Id.describe('a call of the last answer that has no result yet')

export const callEvents = [
  /* @__PURE__ */ defineEvent('call.examined', 'A call was looked at, without any effect.', () => ({
    callId,
    effect: Effect,
    reach: Reach.optional().describe('what it needs to be able to touch'),
    why: z.string().optional().describe('why it needs more than usual, in the words of the model'),
    paths: z.array(TouchedPath).optional().describe('what it will look at or change'),
    intent: z.array(FileIntent).optional().describe('what it will change; tells after a crash what it did'),
    preview: StoredText.optional().describe('a diff, or the command as it will run'),
    command: z.string().optional().describe('the shell command, when the call runs one'),
    question: QuestionText.optional().describe('the call asks the user, and the answer is its result'),
    invalid: z.string().optional().describe('why the call cannot run; goes to the model'),
  })),
  /* @__PURE__ */ defineEvent('permission.decided', 'Whether a call may run.', () => ({
    callId,
    permit: Permit,
    by: z.string().describe('policy, user, hook, …'),
    rule: PermissionRule.optional().describe('the rule that decided'),
    reason: z.string().optional().describe('why, in words'),
    reach: Reach.optional().describe('what it may touch'),
  })),
  /* @__PURE__ */ defineEvent('question.asked', 'The user is asked.', () => ({
    questionId: Id,
    kind: z.enum(['permit', 'question']).describe('whether it is about letting a call run, or about anything else'),
    ...QuestionText.shape,
    callId: Id.optional().describe('the call that it is about'),
  })),
  /* @__PURE__ */ defineEvent('question.answered', 'The question was answered, or will not be.', () => ({
    questionId: Id,
    outcome: z
      .enum(['answered', 'unanswered'])
      .describe('unanswered: nobody was there, or nobody will answer any more'),
    by: z.string().optional().describe('who answered'),
    answer: StoredText.optional().describe('the words of the user'),
    permit: z.enum(['allow', 'deny']).optional().describe('what the user decided about the call'),
    scope: z.enum(['once', 'session', 'always']).optional().describe('how long a permit holds'),
  })),
  /* @__PURE__ */ defineEvent('hook.finished', 'A hook ran.', () => ({
    hook: z.string().min(1).describe('its name'),
    on: z.string().describe('pre_tool, post_tool, tool_failure, prompt_submitted, stop, pre_compact, …'),
    decision: z.enum(['continue', 'deny', 'cancel', 'fail']).describe('what shall happen next'),
    callId: Id.optional().describe('the call that it ran for'),
    permit: Permit.optional().describe('overrides the policy'),
    input: JsonValue.optional().describe('the arguments as the hook changed them'),
    message: z.string().optional().describe('what the hook said'),
  })),
  /* @__PURE__ */ defineEvent('tool.started', 'A call starts to run. Durable before it has any effect.', () => ({
    callId,
    input: JsonValue.optional().describe('the arguments, when they are not those of the model'),
    walls: WallsRecord.optional().describe('the walls that it runs in, or why there are none'),
  })),
  /* @__PURE__ */ defineEvent('tool.finished', 'A call was answered. Exactly once for every call.', () => ({
    callId,
    outcome: ToolOutcome,
    text: StoredText.describe('what the model is told'),
    files: z.array(FilePart).optional().describe('files and images that belong to the result'),
    metadata: JsonObject.optional().describe('what people and programs want to know of it'),
    secretsReplaced: z.int().min(1).optional().describe('how many secrets were replaced in its text and output'),
  })),
] as const
