import type { Message, ModelRequest, Part } from '@loader/session-core'
import type { ProviderOptions } from '../ai-sdk/call-options.ts'
import { thinksByBudget } from './thinking-budget.ts'

/**
 * The options for one request. With a thinking budget, Anthropic refuses a turn that continues after results unless the
 * turn began with signed thinking. That is missing if the beginning was summarised or came from another model: such a
 * turn continues without thinking.
 */
export function withPossibleThinking(options: ProviderOptions, request: ModelRequest, model: string): ProviderOptions {
  const { anthropic = {} } = options
  const { thinking: level } = request
  const isAsked = anthropic['thinking'] === undefined && level !== undefined && level !== 'off' && thinksByBudget(model)
  const isOn = isAsked || hasBudget(anthropic['thinking'])
  if (!isOn || request.tools.length === 0) return options
  const messages = request.messages.filter(saysSomething)
  const begin = messages[beginOfTurn(messages)]
  if (begin === undefined || isSigned(begin.content.find(isSent))) return options
  return { ...options, anthropic: { ...anthropic, thinking: { type: 'disabled' }, sendReasoning: false } }
}

function hasBudget(thinking: unknown): boolean {
  return typeof thinking === 'object' && thinking !== null && 'type' in thinking && thinking.type === 'enabled'
}

/** The index of the answer that began the current turn of calls and results; -1 when there is none. */
function beginOfTurn(messages: readonly Message[]): number {
  let begin = -1
  let isAnswered = false
  for (const [index, { role }] of [...messages.entries()].toReversed()) {
    if (role === 'assistant') {
      if (!isAnswered) break
      begin = index
    } else {
      // Anthropic merges results and the user's text after them into one message.
      const isBehind = index + 1 < messages.length && messages[index + 1]?.role !== 'assistant'
      isAnswered = role === 'tool' || (isBehind && isAnswered)
    }
  }
  return begin
}

/** False for an answer with only reasoning, which is left out. */
function saysSomething({ role, content }: Message): boolean {
  return role !== 'assistant' || content.some((part) => part.type !== 'reasoning' && isSent(part))
}

/** Blank text, and reasoning of other models, are not sent. */
function isSent(part: Part): boolean {
  if (part.type === 'reasoning') return isSigned(part)
  return part.type !== 'text' || typeof part.text !== 'string' || part.text.trim() !== ''
}

/** Whether Anthropic accepts a reasoning part back. */
export function isSigned(part: Part | undefined): boolean {
  if (part?.type !== 'reasoning') return false
  const said = part.providerMetadata?.['anthropic']
  return typeof said === 'object' && said !== null && ('signature' in said || 'redactedData' in said)
}
