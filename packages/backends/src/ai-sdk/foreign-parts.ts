import { type AnswerPart, fromModelMessages } from '@loader/session-core'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { jsonIn } from '../platform/json-text.ts'

/** Parts that only the provider understands: tools that it ran itself, and its own kinds of content. */
export type ForeignPart = Extract<
  LanguageModelV4StreamPart,
  { type: 'tool-call' | 'tool-result' | 'tool-approval-request' | 'custom' | 'reasoning-file' }
>

/** One part for each: it is never shown, and is sent back unchanged. */
export function foreignAnswerParts(parts: readonly ForeignPart[]): readonly AnswerPart[] {
  if (parts.length === 0) return []
  // Converted together, because a result is recognised as the provider's own only next to its call.
  const message = { role: 'assistant', content: parts.map(promptPart) }
  const { messages } = fromModelMessages([message], 'ai-sdk', { newId: (prefix) => prefix, at: noTime })
  return (messages[0]?.content ?? []).filter((part) => part.type !== 'result')
}

/** Only the parts of the message are used, so its time does not matter. */
const noTime = '1970-01-01T00:00:00.000Z'

/** The part in the form in which it is sent back with the next prompt. */
function promptPart(part: ForeignPart): object {
  const { providerMetadata, ...said } = part
  const options = providerMetadata && { providerOptions: providerMetadata }
  switch (said.type) {
    case 'tool-call':
      return { ...said, input: jsonIn(said.input) ?? said.input, ...options }
    case 'tool-result': {
      const { result, isError, toolCallId, toolName } = said
      const output = { type: isError ? 'error-json' : 'json', value: result }
      return { type: 'tool-result', toolCallId, toolName, output, ...options }
    }
    case 'tool-approval-request':
    case 'custom':
    case 'reasoning-file':
      return { ...said, ...options }
    default:
      return said satisfies never
  }
}
