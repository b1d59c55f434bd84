import type * as z from 'zod/mini'
import type { FinishReason, ModelFailure, RequestPurpose } from '../events/model.ts'
import type { Cost, PriceCeiling } from '../words/cost.ts'
import type { JsonObject, JsonValue } from '../words/json.ts'
import type { AnswerPart, Message } from '../words/message.ts'
import type { ModelCapabilities } from '../words/policy.ts'
import type { ThinkingLevel } from '../words/thinking.ts'
import type { Usage } from '../words/usage.ts'
import type { Signal } from './environment.ts'

/** The description of a tool for a model. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
}

/** One request to a model: everything that a `Backend` needs in order to answer, already cut to the context window. */
export interface ModelRequest {
  readonly requestId: string
  readonly purpose: z.infer<typeof RequestPurpose>
  readonly system: string
  /** Messages never change. One that was sent before is the same object, so that a backend can cache its conversion. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDescription[]
  readonly temperature?: number
  readonly maxOutputTokens?: number
  /** Absent: as the provider decides. A backend takes the nearest level that the model has, and says so. */
  readonly thinking?: ThinkingLevel
  /** The same for all requests of a session, so that a provider can keep what it has read of it in one place. */
  readonly sessionId?: string
}

/** An event of a model's answer. A stream ends in exactly one `done`; one that closes without it was interrupted. */
export type BackendEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** Arguments while they are being written, for display; the call itself comes in `done`. */
  | { readonly type: 'call_input'; readonly index: number; readonly name: string; readonly delta: string }
  /** A message to show before the first output arrives, such as "loading the model". */
  | { readonly type: 'status'; readonly message: string }
  | BackendDone

/** The last event of every stream: the complete answer. A stream that ends without it was interrupted. */
export interface BackendDone {
  readonly type: 'done'
  /** The whole answer in order. Calls have the ids of the provider. */
  readonly content: readonly AnswerPart[]
  readonly finishReason: z.infer<typeof FinishReason>
  readonly usage?: Usage
  readonly model?: string
  /** Absent when it is not known. */
  readonly cost?: Cost
  readonly providerMetadata?: { readonly [key: string]: JsonValue }
}

/** A model. It never retries by itself: retries and waits are recorded in the session. */
export interface Backend {
  /** `provider/id` */
  readonly id: string
  stream(request: ModelRequest, options?: { readonly signal?: Signal }): AsyncIterable<BackendEvent>
  describe?(options?: { readonly signal?: Signal }): Promise<ModelCapabilities>
  /** The highest prices of the model, for budgets; undefined if they are not known. */
  priceCeiling?(): Promise<PriceCeiling | undefined>
}

/** Thrown by a backend when the request failed, in words that `model.failed` records. */
export class BackendError extends Error {
  override readonly name = 'BackendError'
  readonly failure: ModelFailure

  constructor(failure: ModelFailure, options?: { readonly cause?: unknown }) {
    super(failure.message, options)
    this.failure = failure
  }
}
