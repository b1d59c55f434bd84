import { inLines } from '@loader/readings'
import { cut } from './width.ts'

/** The first line of a text that is not blank, cut to the given width. */
export function firstLine(text: string, room: number): string {
  const first = inLines(text).find((line) => line.trim() !== '') ?? ''
  return cut(first.trim(), Math.max(4, room))
}
