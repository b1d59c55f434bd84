import type { Message, ModelRequest, Usage } from '@loader/session-core'
import { type Anchor, type Calibration, noCalibration, ratioOf } from './calibration.ts'
import { messagesTokens } from './message-tokens.ts'
import { overheadTokens } from './overhead.ts'
import type { Tokenizer } from './text-tokens.ts'

/** The parts of a request that take tokens. */
export type MeasuredRequest = Pick<ModelRequest, 'system' | 'messages' | 'tools' | 'maxOutputTokens'>

/** What improves an estimate. */
export interface EstimateOptions {
  /** What servers have reported so far. */
  readonly calibration?: Calibration
  /** `provider/id`, as in the calibration; by default, the model of the last reported request. */
  readonly model?: string | undefined
  /** Counts exactly what no server has counted yet. */
  readonly tokenizer?: Tokenizer | undefined
  /**
   * In tokens. Bounds the reserve for the reply: some models allow replies as long as the window, which would leave no
   * room for the request.
   */
  readonly contextWindow?: number | undefined
}

/** The size of a request in tokens, and how reliable the number is. */
export interface TokenEstimate {
  /** Request and reply together. */
  readonly tokens: number
  /** The request alone: system prompt, tools, messages. */
  readonly input: number
  /** Tokens reserved for the answer. */
  readonly reply: number
  /** The source of the number, best first. */
  readonly basis: 'reported' | 'counted' | 'calibrated' | 'guessed'
}

const usualReply = 2048
const largestReplyShare = 0.25

/**
 * Estimates the size of a request, including the room for its answer. What a server has counted is used, the rest
 * estimated.
 */
export function estimateTokens(request: MeasuredRequest, options: EstimateOptions = {}): TokenEstimate {
  const { anchor } = options.calibration ?? noCalibration
  const isAnchored = anchor !== null && anchor.model === modelOf(options) && beginsWith(request, anchor)
  const { tokens, basis } = isAnchored ? fromAnchor(request, anchor, options) : fromScratch(request, options)
  const input = Math.max(1, Math.ceil(tokens))
  const reply = replyTokens(request.maxOutputTokens, options.contextWindow)
  return { tokens: input + reply, input, reply, basis }
}

type Measured = Pick<TokenEstimate, 'tokens' | 'basis'>

function fromScratch(request: MeasuredRequest, options: EstimateOptions): Measured {
  const { tokenizer } = options
  const ratio = ratioFor(options)
  const tokens = overheadTokens(request, tokenizer) + messagesTokens(request.messages, tokenizer)
  if (tokenizer !== undefined) return { tokens, basis: 'counted' }
  return { tokens: tokens * (ratio ?? 1), basis: ratio === undefined ? 'guessed' : 'calibrated' }
}

/** The reported size, plus what came since: the answer, later messages, changes of system prompt and tools. */
function fromAnchor(request: MeasuredRequest, anchor: Anchor, options: EstimateOptions): Measured {
  const { tokenizer } = options
  const ratio = tokenizer === undefined ? (ratioFor(options) ?? 1) : 1
  const changed = ratio * (overheadTokens(request) - anchor.overhead)
  const [answer, ...later] = request.messages.slice(anchor.messages.count)
  const reported = answer?.id === anchor.requestId ? answerTokens(answer, anchor.usage) : undefined
  const guessed = reported === undefined && answer !== undefined ? [answer, ...later] : later
  const since = (reported ?? 0) + ratio * messagesTokens(guessed, tokenizer)
  return { tokens: anchor.usage.inputTokens + changed + since, basis: 'reported' }
}

/** Whether the request begins with exactly the messages that were counted. */
function beginsWith({ messages }: MeasuredRequest, { messages: { count, firstId, lastId } }: Anchor): boolean {
  return messages[0]?.id === firstId && messages[count - 1]?.id === lastId
}

/** Reasoning that is not part of the message is not sent again. */
function answerTokens(answer: Message, { outputTokens, reasoningTokens = 0 }: Usage): number | undefined {
  if (outputTokens === undefined) return undefined
  const keepsReasoning = answer.content.some(({ type }) => type === 'reasoning')
  return keepsReasoning ? outputTokens : Math.max(0, outputTokens - reasoningTokens)
}

function ratioFor(options: EstimateOptions): number | undefined {
  return ratioOf(options.calibration ?? noCalibration, modelOf(options))
}

function modelOf({ model, calibration }: EstimateOptions): string | undefined {
  return model ?? calibration?.anchor?.model
}

/** The tokens that are reserved for the answer. */
export function replyTokens(asked: number = usualReply, contextWindow: number = Number.POSITIVE_INFINITY): number {
  return Math.min(asked, Math.floor(contextWindow * largestReplyShare))
}
