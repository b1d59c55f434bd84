import * as z from 'zod'
import { Id } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { JsonObject } from '../words/json.ts'
import { AnswerPart, ToolCall } from '../words/message.ts'
import { PromptFormat, PromptSection } from '../words/prompt.ts'
import { StoredText } from '../words/stored-text.ts'
import { Timestamp } from '../words/time.ts'
import { Usage } from '../words/usage.ts'
import { defineEvent } from './define.ts'
import { lazyObject } from '../words/schema.ts'

export const RequestPurpose = /* @__PURE__ */ z.enum(['answer', 'clarify', 'brief', 'plan', 'summary'])

/** Why a model stopped. `interrupted` is a stream that closed without an end. */
export const FinishReason = /* @__PURE__ */ z.enum([
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'error',
  'interrupted',
  'other',
])

export const ModelFailure = /* @__PURE__ */ lazyObject(() => ({
  kind: z
    .string()
    .min(1)
    .describe('rate_limited, overloaded, context_too_long, auth, bad_request, connection, interrupted or other'),
  message: z.string().describe('what happened, in words'),
  status: z.int().optional().describe('HTTP status'),
  retryAfterMs: z.int().min(0).optional().describe('what the server asked for'),
}))

export type ModelFailure = Immutable<z.infer<typeof ModelFailure>>

const requestId = /* @__PURE__ */ Id.describe('the request that is under way')

export const modelEvents = [
  /* @__PURE__ */ defineEvent('prompt.rendered', 'The system prompt changed.', () => ({
    format: PromptFormat,
    sections: z.array(PromptSection).describe('what it is made of, in order'),
    toolsDigest: z.string().optional().describe('digest of the tools that it goes with'),
    text: StoredText.describe('the whole prompt'),
  })),
  /* @__PURE__ */ defineEvent(
    'model.asked',
    'A request goes to the model. No call may be waiting for its result.',
    () => ({
      requestId: Id.describe('also the id of the message that the answer becomes'),
      purpose: RequestPurpose,
      attempt: z.int().min(1).describe('1, or one more than the attempt that failed'),
      model: z.string().optional().describe('provider/id'),
      estimatedTokens: z.int().min(0).optional().describe('size of the request, estimated'),
    }),
  ),
  /* @__PURE__ */ defineEvent('answer.progressed', 'Part of an answer arrived and was shown.', () => ({
    requestId,
    text: z.string().optional().describe('only what is new'),
    reasoning: z.string().optional().describe('only what is new'),
  })),
  /* @__PURE__ */ defineEvent('model.answered', 'The model answered.', () => ({
    requestId,
    content: z.array(AnswerPart).describe('empty, when nothing but blank text is in it; it becomes no message then'),
    finishReason: FinishReason,
    usage: Usage.optional().describe('absent when the server did not tell'),
    model: z.string().optional().describe('provider/id that answered'),
    providerMetadata: JsonObject.optional().describe('opaque; what the provider said about the answer'),
  })),
  /* @__PURE__ */ defineEvent('model.failed', 'The request failed; it may be asked again.', () => ({
    requestId,
    error: ModelFailure,
    usage: Usage.optional(),
  })),
  /* @__PURE__ */ defineEvent('model.interrupted', 'The request was cut off; what had arrived is kept.', () => ({
    requestId,
    reason: z.string().min(1).describe('cancelled, cut, crashed, …'),
    usage: Usage.optional(),
  })),
  /* @__PURE__ */ defineEvent('calls.recovered', 'Calls were read out of the text of the last answer.', () => ({
    requestId: Id.describe('the request that was answered'),
    calls: z.array(ToolCall).min(1),
  })),
  /* @__PURE__ */ defineEvent('wait.started', 'The runtime waits before it goes on.', () => ({
    until: Timestamp,
    why: z.string().min(1).describe('in words'),
    requestId: Id.optional().describe('the request that will be tried again'),
  })),
  /* @__PURE__ */ defineEvent('wait.finished', 'The wait is over.', () => ({
    outcome: z.enum(['elapsed', 'cancelled']),
  })),
] as const
