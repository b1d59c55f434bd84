import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { fileData } from './prompt-file.ts'

type AnswerPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]
type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number]

// A part that only its provider understands is stored whole and sent back unchanged, so it has no type here.

export function foreignAnswerPart(part: unknown): AnswerPart[] {
  const type = typeOf(part)
  if (type === 'reasoning-file') return [withFileData(part)]
  return type === 'custom' || type === 'tool-result' ? [asItCame(part)] : []
}

/** Approvals concern tools that the provider runs; tools that run here are approved here. */
export function foreignToolPart(part: unknown): ToolPart[] {
  const isForProvider = isRecord(part) && part['providerExecuted'] === true
  return typeOf(part) === 'tool-approval-response' && isForProvider ? [asItCame(part)] : []
}

function withFileData(part: unknown): AnswerPart {
  const data = isRecord(part) && typeof part['data'] === 'string' ? { data: fileData(part['data']) } : {}
  return { ...asItCame<Extract<AnswerPart, { type: 'reasoning-file' }>>(part), ...data }
}

/** The only place that trusts stored content to have the right type: its provider created it. */
function asItCame<Kept extends AnswerPart | ToolPart>(part: unknown): Kept {
  return part as Kept
}

function typeOf(part: unknown): unknown {
  return isRecord(part) ? part['type'] : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
