import { createHash } from 'node:crypto'
import { anySignature } from '../history-faults/gemini.ts'
import { type JsonFields, fieldsOf, listOf } from '../history-faults/check.ts'
import { partsOf } from '../script/answer.ts'
import type { ScriptedPart } from '../script/script.ts'
import type { WireScriptLine } from './wire-script.ts'

type Sealing = 'responses' | 'gemini'

/**
 * Opaque content that only the server can read, made from the part it stands for: OpenAI's encrypted reasoning,
 * Gemini's thought signature. Like the providers, the server recognises its own content even if the rest of the message
 * changed.
 */
export function sealOf(dialect: Sealing, part: ScriptedPart): string {
  return (
    scriptedSeal(dialect, part) ?? sealed(`${dialect} ${createHash('sha256').update(contentOf(part)).digest('hex')}`)
  )
}

/** The first message with opaque content that this server did not make, and what it is. */
export function foreignSeal(
  dialect: Sealing,
  messages: readonly JsonFields[],
  lines: readonly WireScriptLine[],
): { readonly index: number; readonly at: number; readonly seal: unknown } | undefined {
  const scripted = lines.flatMap((line) =>
    typeof line === 'function' ? [] : partsOf(line).map((part) => scriptedSeal(dialect, part)),
  )
  for (const [index, message] of messages.entries()) {
    const seals = sealsIn(dialect, message)
    const at = seals.findIndex((seal) => seal !== undefined && seal !== null && !isOwn(dialect, seal, scripted))
    if (at >= 0) return { index, at, seal: seals[at] }
  }
  return undefined
}

/** The opaque content of a message, by part. */
function sealsIn(dialect: Sealing, message: JsonFields): readonly unknown[] {
  if (dialect === 'responses') return [message['encrypted_content']]
  return listOf(message['parts']).map(({ thoughtSignature: signature }) => signature)
}

function isOwn(dialect: Sealing, seal: unknown, scripted: readonly unknown[]): boolean {
  if (typeof seal !== 'string') return false
  if (scripted.includes(seal) || (dialect === 'gemini' && anySignature.includes(seal))) return true
  const text = Buffer.from(seal, 'base64').toString()
  return new RegExp(`^${dialect} [0-9a-f]{64} `).test(text) && seal === sealed(text.slice(0, text.lastIndexOf(' ')))
}

/** Includes a checksum, so that a truncated or foreign text is recognised. */
function sealed(text: string): string {
  const sum = createHash('sha256').update(`sealed ${text}`).digest('hex').slice(0, 16)
  return Buffer.from(`${text} ${sum}`).toString('base64')
}

function scriptedSeal(dialect: Sealing, part: ScriptedPart): string | undefined {
  if (!('providerMetadata' in part)) return undefined
  const { openai, google } = fieldsOf(part.providerMetadata)
  const seal =
    dialect === 'responses' ? fieldsOf(openai)['reasoningEncryptedContent'] : fieldsOf(google)['thoughtSignature']
  return typeof seal === 'string' ? seal : undefined
}

function contentOf(part: ScriptedPart): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  return part.type === 'call' ? `${part.call.name} ${JSON.stringify(part.call.input ?? {})}` : ''
}
