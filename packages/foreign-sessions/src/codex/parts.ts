import type { AnswerPart, JsonValue, Usage } from '@loader/session-core'
import * as z from 'zod'
import type { Result } from '../conversation/conversation.ts'
import { exitCodeIn } from '../source/exit-code-in.ts'
import { given } from '../source/loose.ts'
import { parsedArguments } from '../source/parsed-arguments.ts'
import type { ResponseItem, UsageRecord } from './records.ts'

const aborted = /^(?:Wall time:[^\n]*\n)?aborted by user\b/i
const refused = /^(?:unsupported call:|apply_patch verification failed:)/i

/**
 * The outcome of a call, as far as the file says. An aborted command may have had an effect, even where the screen
 * shows it as failed; a command without an exit code may still be running.
 */
export function outcomeOf(text: string, shown: Result['outcome'] | undefined): Result['outcome'] {
  if (aborted.test(text.trim())) return 'interrupted'
  if (shown !== undefined) return shown
  if (refused.test(text.trim())) return 'failed'
  const code = exitCodeIn(headOf(text))
  if (code === undefined) return 'unknown'
  return code === 0 ? 'ok' : 'failed'
}

/** The header that the program writes about a command, without the command's own output. */
function headOf(text: string): string {
  const document = Wrapped.safeParse(parsedArguments(text)).data
  if (document !== undefined) return `Exit code: ${document.metadata.exit_code}`
  const [head = ''] = text.split(/^Output:$/m, 1)
  return head
}

/** The format of older versions. */
const Wrapped = z.object({ output: z.string(), metadata: z.object({ exit_code: z.number() }) })

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
  // Free text is not an object, and providers require one.
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
