import type { AnswerPart, JsonValue, Usage } from '@loader/session-core'
import type * as z from 'zod'
import type { Result } from '../conversation/conversation.ts'
import { exitCodeIn } from '../source/exit-code-in.ts'
import { given } from '../source/loose.ts'
import { parsedArguments } from '../source/parsed-arguments.ts'
import type { ResponseItem, UsageRecord } from './records.ts'

/** Of a command that was aborted it is not said whether it had an effect; that it failed is only half of it. */
export function outcomeOf(text: string, shown: Result['outcome'] | undefined): Result['outcome'] {
  if (/^aborted by user\b/i.test(text.trim())) return 'interrupted'
  if (shown !== undefined) return shown
  if (/^unsupported call:/i.test(text.trim())) return 'failed'
  const code = exitCodeIn(text)
  return code === undefined || code === 0 ? 'ok' : 'failed'
}

export function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  return JSON.stringify(output ?? null)
}

export function reasoningPart({
  id,
  summary,
  content,
  encrypted_content,
}: Extract<ResponseItem, { type: 'reasoning' }>): AnswerPart {
  const text = [...summary, ...content].map((part) => part.text).join('\n\n')
  if (encrypted_content === undefined) return { type: 'reasoning', text }
  const openai = { ...given('itemId', id), reasoningEncryptedContent: encrypted_content }
  return { type: 'reasoning', text, providerMetadata: { openai } }
}

export function callPart(item: Extract<ResponseItem, { type: 'function_call' | 'custom_tool_call' }>): AnswerPart {
  const { name, call_id: id } = item
  // Free text is no object, and providers want one.
  if (item.type === 'custom_tool_call') return { type: 'call', call: { id, name, input: { input: item.input } } }
  const input: JsonValue | undefined = parsedArguments(item.arguments)
  if (input === undefined) return { type: 'call', call: { id, name, input: {}, malformed: item.arguments } }
  return { type: 'call', call: { id, name, input } }
}

export function usageOf(usage: z.infer<typeof UsageRecord>['usage']): Usage {
  return {
    ...given('inputTokens', usage.input_tokens),
    ...given('outputTokens', usage.output_tokens),
    ...given('reasoningTokens', usage.reasoning_output_tokens),
    ...given('cacheReadTokens', usage.cached_input_tokens),
    ...given('cacheWriteTokens', usage.cache_write_input_tokens),
  }
}
