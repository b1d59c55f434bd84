import type { ScriptedPart } from '../script/script.ts'

/** All that an answer says, in one text. */
export function answerText(parts: readonly ScriptedPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

/** All that an answer thinks, in one text. */
export function reasoningText(parts: readonly ScriptedPart[]): string {
  return parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
}
