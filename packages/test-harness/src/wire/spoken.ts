import type { ScriptedPart } from '../script/script.ts'

/** The text of an answer, joined. */
export function answerText(parts: readonly ScriptedPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

/** The reasoning of an answer, joined. */
export function reasoningText(parts: readonly ScriptedPart[]): string {
  return parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
}
