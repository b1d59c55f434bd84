import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { fileData } from './prompt-file.ts'

type AnswerPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]
type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number]

// What only its provider understands is kept whole in a session and comes back as it went in, without a type.

export function foreignAnswerPart(part: unknown): AnswerPart[] {
  const type = typeOf(part)
  if (type === 'reasoning-file') return [withFileData(part)]
  return type === 'custom' || type === 'tool-result' ? [asItCame(part)] : []
}

/** Approvals are for tools that the provider runs; whatever runs here was approved here. */
export function foreignToolPart(part: unknown): ToolPart[] {
  const isForProvider = isRecord(part) && part['providerExecuted'] === true
  return typeOf(part) === 'tool-approval-response' && isForProvider ? [asItCame(part)] : []
}

function withFileData(part: unknown): AnswerPart {
  const data = isRecord(part) && typeof part['data'] === 'string' ? { data: fileData(part['data']) } : {}
  return { ...asItCame<Extract<AnswerPart, { type: 'reasoning-file' }>>(part), ...data }
}

/** The one place where the word of a session is taken for what a part is: its provider put it there. */
function asItCame<Kept extends AnswerPart | ToolPart>(part: unknown): Kept {
  return part as Kept
}

function typeOf(part: unknown): unknown {
  return isRecord(part) ? part['type'] : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
