import type { Message, ModelRequest, Part } from '@loader/session-core'
import type { ProviderOptions } from '../ai-sdk/call-options.ts'

/**
 * The options for one request. Where thinking has a budget, Anthropic refuses a turn that goes on after the results of
 * calls without having begun with a thought of its own: when its beginning went into a summary, say, or was another
 * model's. Such a turn goes on without thinking.
 */
export function withPossibleThinking(options: ProviderOptions, request: ModelRequest): ProviderOptions {
  const { anthropic = {} } = options
  if (!hasBudget(anthropic['thinking']) || request.tools.length === 0) return options
  const messages = request.messages.filter(saysSomething)
  const begin = messages[beginOfTurn(messages)]
  if (begin === undefined || isSigned(begin.content.find(isSent))) return options
  return { ...options, anthropic: { ...anthropic, thinking: { type: 'disabled' }, sendReasoning: false } }
}

function hasBudget(thinking: unknown): boolean {
  return typeof thinking === 'object' && thinking !== null && 'type' in thinking && thinking.type === 'enabled'
}

/** Where the answer begins that calls and their results, however many, have not ended yet; -1 when there is none. */
function beginOfTurn(messages: readonly Message[]): number {
  let begin = -1
  let isAnswered = false
  for (const [index, { role }] of [...messages.entries()].toReversed()) {
    if (role === 'assistant') {
      if (!isAnswered) break
      begin = index
    } else {
      // Results and what the user says behind them are one message there.
      const isBehind = index + 1 < messages.length && messages[index + 1]?.role !== 'assistant'
      isAnswered = role === 'tool' || (isBehind && isAnswered)
    }
  }
  return begin
}

/** An answer that is nothing but thought is left out. */
function saysSomething({ role, content }: Message): boolean {
  return role !== 'assistant' || content.some((part) => part.type !== 'reasoning' && isSent(part))
}

/** Blank text, and thoughts of other models, stay here. */
function isSent(part: Part): boolean {
  if (part.type === 'reasoning') return isSigned(part)
  return part.type !== 'text' || typeof part.text !== 'string' || part.text.trim() !== ''
}

/** Whether Anthropic takes a thought back. */
export function isSigned(part: Part | undefined): boolean {
  if (part?.type !== 'reasoning') return false
  const said = part.providerMetadata?.['anthropic']
  return typeof said === 'object' && said !== null && ('signature' in said || 'redactedData' in said)
}
