import { inOneLine } from '@loader/readings'
import { type Inline, inlinesOf } from './inlines.ts'

const nowhere: ReadonlyMap<string, string> = new Map()

/** A text on one line, such as a title, as parts. */
export function lineOf(text: string): Inline[] {
  return inlinesOf(inOneLine(text), nowhere)
}

/** The same without any marks, for drawings and excerpts. */
export function plainLine(text: string): string {
  return lineOf(text).map(wordsOf).join('')
}

export function wordsOf(part: Inline): string {
  if (typeof part === 'string') return part
  if ('parts' in part) return part.parts.map(wordsOf).join('')
  return part.kind === 'code' ? part.text : ' '
}
