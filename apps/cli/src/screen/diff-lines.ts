import { inLines } from '@loader/readings'
import type { Style } from './paint.ts'

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'place' | 'context' | 'file'
  readonly text: string
}

/** The lines of a unified diff with their kinds; undefined if the text is not a diff. */
export function diffLines(text: string): DiffLine[] | undefined {
  const lines = inLines(text)
  if (!lines.some((line, index) => beginsFile(lines, index) || (index === 0 && line.startsWith('@@')))) return undefined
  return lines.map((line, index) => ({ kind: kindOf(lines, index), text: line }))
}

/** A removed line can look like the first line of a file header; a header is followed by its second line and a hunk. */
function beginsFile(lines: readonly string[], index: number): boolean {
  const [old = '', now = '', place = '@@'] = lines.slice(index, index + 3)
  return old.startsWith('--- ') && now.startsWith('+++ ') && place.startsWith('@@')
}

function kindOf(lines: readonly string[], index: number): DiffLine['kind'] {
  const line = lines[index] ?? ''
  if (beginsFile(lines, index) || beginsFile(lines, index - 1)) return 'file'
  if (line.startsWith('@@')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'context'
}

export const diffStyles: Readonly<Record<DiffLine['kind'], Style>> = {
  added: 'green',
  removed: 'red',
  place: 'cyan',
  context: 'dim',
  file: 'bold',
}
