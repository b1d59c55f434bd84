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

export interface ChangedLine {
  readonly kind: 'added' | 'removed'
  /** Its number in the file: before the change where it was removed, after it where it was added. */
  readonly number: number
  readonly text: string
}

/** The lines that a diff adds and removes, with their numbers. */
export function changedLines(lines: readonly DiffLine[]): ChangedLine[] {
  let [old, now] = [0, 0]
  return lines.flatMap(({ kind, text }): ChangedLine[] => {
    switch (kind) {
      case 'place': {
        const [, before = '0', after = '0'] = /^@@ -(\d+)\S* \+(\d+)/.exec(text) ?? []
        ;[old, now] = [Number(before), Number(after)]
        return []
      }
      case 'removed':
        old += 1
        return [{ kind, number: old - 1, text }]
      case 'added':
        now += 1
        return [{ kind, number: now - 1, text }]
      case 'context':
        ;[old, now] = [old + 1, now + 1]
        return []
      case 'file':
        return []
      default:
        return kind satisfies never
    }
  })
}

export const diffStyles: Readonly<Record<DiffLine['kind'], Style>> = {
  added: 'green',
  removed: 'red',
  place: 'cyan',
  context: 'dim',
  file: 'bold',
}
