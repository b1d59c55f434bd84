import { createHash } from 'node:crypto'
import type { ReasoningPart } from '@loader/session-core'
import { type Fields, fieldsOf, listOf } from '../history-faults/check.ts'
import { partsOf } from '../script/answer.ts'
import type { WireScriptLine } from './wire-script.ts'

/** The signature of a thinking block: that of the script, or one computed from the text. */
export function signatureOf(text: string, { providerMetadata }: Pick<ReasoningPart, 'providerMetadata'> = {}): string {
  const { signature } = fieldsOf(providerMetadata?.['anthropic'])
  return typeof signature === 'string' ? signature : createHash('sha256').update(text).digest('base64')
}

/** The first thinking block whose text differs from the signed one. */
export function changedThinking(
  messages: readonly Fields[],
  lines: readonly WireScriptLine[],
): { readonly index: number; readonly at: number } | undefined {
  const scripted = lines.flatMap((line) =>
    typeof line === 'function'
      ? []
      : partsOf(line).flatMap((part) =>
          part.type === 'reasoning' ? [`${signatureOf(part.text, part)} ${part.text}`] : [],
        ),
  )
  for (const [index, { content }] of messages.entries()) {
    const at = listOf(content).findIndex(({ type, thinking, signature }) => {
      if (type !== 'thinking' || typeof thinking !== 'string' || typeof signature !== 'string') return false
      return signature !== signatureOf(thinking) && !scripted.includes(`${signature} ${thinking}`)
    })
    if (at >= 0) return { index, at }
  }
  return undefined
}
