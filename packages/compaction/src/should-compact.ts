import type { Message, SessionState, ToolDescription } from '@loader/session-core'
import { type Calibration, systemPrompt } from './calibration.ts'
import { estimateTokens, replyTokens, type TokenEstimate } from './estimate.ts'
import { compactionLimits } from './limits.ts'
import { mostMessagesTokens } from './message-tokens.ts'
import { mostTokens, type Tokenizer } from './text-tokens.ts'
import { compactionThreshold } from './threshold.ts'

/** The options for estimating the next request. */
export interface SizeOptions {
  readonly tools?: readonly ToolDescription[]
  readonly calibration?: Calibration
  readonly tokenizer?: Tokenizer
}

/** Whether the next request fits the context window, and what to do if it does not. */
export type CompactionNeed =
  | { readonly need: 'none'; readonly tokens: number; readonly threshold: number }
  /** `overflow`: the model refused the request as too long; compact, then repeat it. */
  | {
      readonly need: 'compact'
      readonly why: 'threshold' | 'overflow'
      readonly tokens: number
      readonly threshold: number
    }
  /** Compacting again would not help. Below `window` the request can still be made; otherwise the turn must end. */
  | {
      readonly need: 'stuck'
      readonly over: 'threshold' | 'window'
      readonly reason: string
      readonly tokens: number
      readonly threshold: number
    }

/** Whether the window must be compacted before the next request. */
export function shouldCompact(state: SessionState, options: SizeOptions = {}): CompactionNeed {
  const { tokens } = requestSize(state, options)
  const threshold = compactionThreshold(state.policy ?? undefined)
  const size = { tokens, threshold }
  if (overflowed(state)) {
    if (compactedSince(state, state.turn?.request?.at)) return { need: 'none', ...size }
    const reason = whyNotAgain(state)
    return reason === undefined
      ? { need: 'compact', why: 'overflow', ...size }
      : { need: 'stuck', over: 'window', reason, ...size }
  }
  if (tokens < threshold) return { need: 'none', ...size }
  const reason = whyNotAgain(state)
  if (reason === undefined) return { need: 'compact', why: 'threshold', ...size }
  return { need: 'stuck', over: tokens > windowOf(state) ? 'window' : 'threshold', reason, ...size }
}

/**
 * Whether the next request certainly needs no compaction: even if each text that was not estimated yet were as large as
 * one of its length can be. Most requests are that small, and estimating is a tenth of the work on a turn.
 */
export function surelyFits(state: SessionState): boolean {
  if (overflowed(state)) return false
  const { limits, model, tools } = state.policy ?? { limits: {} }
  const input = mostTokens(systemPrompt(state)) + mostMessagesTokens(messagesOf(state)) + (tools?.tokens ?? 0)
  const reply = replyTokens(limits.maxOutputTokens, model?.contextWindow)
  return Math.max(1, Math.ceil(input)) + reply < compactionThreshold(state.policy ?? undefined)
}

/**
 * The size of the next request. If tools are not given, their size is taken from the policy, so that callers with only
 * a state count them too.
 */
export function requestSize(state: SessionState, options: SizeOptions = {}): TokenEstimate {
  const size = sizeWithTools(state, options)
  if (options.tools !== undefined || size.basis === 'reported') return size
  const unseen = state.policy?.tools?.tokens ?? 0
  return unseen === 0 ? size : { ...size, tokens: size.tokens + unseen, input: size.input + unseen }
}

function sizeWithTools(state: SessionState, { tools = [], calibration, tokenizer }: SizeOptions): TokenEstimate {
  const { limits, model } = state.policy ?? { limits: {} }
  const request = {
    system: systemPrompt(state),
    messages: messagesOf(state),
    tools,
    ...(limits.maxOutputTokens !== undefined && { maxOutputTokens: limits.maxOutputTokens }),
  }
  return estimateTokens(request, {
    ...(calibration && { calibration }),
    tokenizer,
    model: model?.model,
    contextWindow: model?.contextWindow,
  })
}

function messagesOf(state: SessionState): readonly Message[] {
  return [...state.messages.toArray(), ...waiting(state)]
}

/** The messages that the next request adds to the window. */
function waiting({ turn }: SessionState): readonly Message[] {
  if (turn?.pending == null) return []
  const { inputId: id, text, files = [], at } = turn.pending
  const input: Message = { id, role: 'user', origin: 'input', content: [{ type: 'text', text }, ...files], at }
  return turn.lane === 'compact' ? turn.notes : [input, ...turn.notes]
}

function windowOf({ policy }: SessionState): number {
  return policy?.model?.contextWindow ?? Number.POSITIVE_INFINITY
}

function overflowed({ turn }: SessionState): boolean {
  const request = turn?.request
  return request?.status === 'failed' && request.error?.kind === 'context_too_long' && request.purpose !== 'summary'
}

function compactedSince({ compaction }: SessionState, time: string | undefined): boolean {
  return compaction !== null && time !== undefined && compaction.at >= time
}

/** Why compaction must stop, as text; undefined while it may continue. */
function whyNotAgain(state: SessionState): string | undefined {
  const attempts = state.policy?.limits.maxCompactions ?? compactionLimits.maxCompactions
  const spent = state.turn?.spent.compactions ?? 0
  if (spent >= attempts) return `compaction was tried ${spent} times in this turn, and ${attempts} are allowed`
  if (!movedOn(state)) return 'nothing has happened since the last compaction, so another one would gain nothing'
  return undefined
}

/** Repeated compactions without progress in between must stop, because each only spends the quota. */
function movedOn({ compaction, messages, turn }: SessionState): boolean {
  if (compaction === null || (turn?.pending != null && turn.pending.at >= compaction.at)) return true
  return messages.findLastIndex(({ id, at }) => id !== compaction.messageId && at >= compaction.at) >= 0
}
