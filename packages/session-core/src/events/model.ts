import * as z from 'zod/mini'
import { Cost } from '../words/cost.ts'
import { Id } from '../words/ids.ts'
import type { Immutable } from '../words/immutable.ts'
import { JsonObject } from '../words/json.ts'
import { AnswerPart, ToolCall } from '../words/message.ts'
import { PromptFormat, PromptSection } from '../words/prompt.ts'
import { StoredText } from '../words/stored-text.ts'
import { ThinkingLevel } from '../words/thinking.ts'
import { Timestamp } from '../words/time.ts'
import { Usage } from '../words/usage.ts'
import { defineEvent } from './define.ts'
import { count, described, lazyObject, nonEmpty, positive } from '../words/schema.ts'

/** What a request to the model is for. Only `answer` may call tools; the others produce a text for the runtime. */
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

/** Why a request to a model failed. The `kind` decides whether it is tried again; `retryAfterMs` says when. */
export const ModelFailure = /* @__PURE__ */ lazyObject(() => ({
  kind: described(
    nonEmpty,
    'rate_limited, overloaded, context_too_long, auth, no_credit, unknown_model, bad_request, connection, ' +
      'interrupted, model_changed (its description was out of date, and has been renewed) or other',
  ),
  message: described(z.string(), 'what happened, in words'),
  status: described(z.optional(z.int()), 'HTTP status'),
  retryAfterMs: described(z.optional(count), 'what the server asked for'),
}))

export type ModelFailure = Immutable<z.infer<typeof ModelFailure>>

const requestId = /* @__PURE__ */ described(Id, 'the request that is under way')

export const modelEvents = [
  /* @__PURE__ */ defineEvent('prompt.rendered', 'The system prompt changed.', () => ({
    format: PromptFormat,
    sections: described(z.array(PromptSection), 'what it is made of, in order'),
    toolsDigest: described(z.optional(z.string()), 'digest of the tools that it goes with'),
    text: described(StoredText, 'the whole prompt'),
  })),
  /* @__PURE__ */ defineEvent(
    'model.asked',
    'A request goes to the model. No call may be waiting for its result.',
    () => ({
      requestId: described(Id, 'also the id of the message that the answer becomes'),
      purpose: RequestPurpose,
      attempt: described(positive, '1, or one more than the attempt that failed'),
      model: described(z.optional(z.string()), 'provider/id'),
      estimatedTokens: described(z.optional(count), 'size of the request, estimated'),
      thinking: described(
        z.optional(ThinkingLevel),
        'how much the model was to think; absent, as its provider decides',
      ),
      atMostUsd: described(
        z.optional(z.number().check(z.gte(0))),
        'under a budget: what it can cost at most, in US dollars, estimated',
      ),
    }),
  ),
  /* @__PURE__ */ defineEvent('answer.progressed', 'Part of an answer arrived and was shown.', () => ({
    requestId,
    text: described(z.optional(z.string()), 'only what is new'),
    reasoning: described(z.optional(z.string()), 'only what is new'),
  })),
  /* @__PURE__ */ defineEvent('model.answered', 'The model answered.', () => ({
    requestId,
    content: described(z.array(AnswerPart), 'empty, when nothing but blank text is in it; it becomes no message then'),
    finishReason: FinishReason,
    usage: described(z.optional(Usage), 'absent when the server did not tell'),
    model: described(z.optional(z.string()), 'provider/id that answered'),
    cost: described(z.optional(Cost), 'by the prices at that time; absent when it is not known'),
    providerMetadata: described(z.optional(JsonObject), 'opaque; what the provider said about the answer'),
  })),
  /* @__PURE__ */ defineEvent('model.failed', 'The request failed; it may be asked again.', () => ({
    requestId,
    error: ModelFailure,
    usage: z.optional(Usage),
  })),
  /* @__PURE__ */ defineEvent('model.interrupted', 'The request was cut off; what had arrived is kept.', () => ({
    requestId,
    reason: described(nonEmpty, 'cancelled, cut, crashed, …'),
    usage: z.optional(Usage),
  })),
  /* @__PURE__ */ defineEvent('calls.recovered', 'Calls were read out of the text of the last answer.', () => ({
    requestId: described(Id, 'the request that was answered'),
    calls: z.array(ToolCall).check(z.minLength(1)),
  })),
  /* @__PURE__ */ defineEvent('wait.started', 'The runtime waits before it goes on.', () => ({
    until: Timestamp,
    why: described(nonEmpty, 'in words'),
    requestId: described(z.optional(Id), 'the request that will be tried again'),
    ms: described(z.optional(count), 'how long it is, in milliseconds'),
  })),
  /* @__PURE__ */ defineEvent('wait.finished', 'The wait is over.', () => ({
    outcome: z.enum(['elapsed', 'cancelled']),
  })),
] as const
