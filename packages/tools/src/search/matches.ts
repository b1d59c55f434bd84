import { type Folder, readHeld } from '@loader/workspace'
import type { LinePattern } from './line-pattern.ts'

/** Larger files are not searched. */
export const mostFileBytes = 10 * 1024 * 1024
const probedBytes = 8192
const longestLine = 400

/** The matches of a file, in the form that is shown. */
export type FileMatches =
  | { readonly kind: 'found'; readonly count: number; readonly lines: readonly string[] }
  | { readonly kind: 'none' }
  /** Matching its lines took too long. */
  | { readonly kind: 'too_long' }

/** Searches one file in an open folder. */
export function matchesInFile(
  folder: Folder,
  name: string,
  pattern: LinePattern,
  limits: { readonly context: number; readonly most: number },
): FileMatches {
  const bytes = readHeld(folder, name, mostFileBytes)
  if (bytes === undefined || bytes.length === 0 || bytes.subarray(0, probedBytes).includes(0)) return { kind: 'none' }
  const lines = textLines(bytes)
  const matches = pattern.matchesIn(lines, limits.most)
  if (matches === undefined) return { kind: 'too_long' }
  if (matches.length === 0) return { kind: 'none' }
  const columns = new Map(matches.map(({ line, column }) => [line, column] as const))
  return { kind: 'found', count: matches.length, lines: shown(lines, columns, limits.context) }
}

function textLines(bytes: Uint8Array): string[] {
  const lines = new TextDecoder().decode(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** The matching lines, marked, with context lines; `--` marks a gap. */
function shown(lines: readonly string[], columns: ReadonlyMap<number, number>, context: number): string[] {
  const out: string[] = []
  let last = -1
  for (const match of columns.keys()) {
    const from = Math.max(last + 1, match - context)
    if (last >= 0 && from > last + 1 && context > 0) out.push('--')
    const to = Math.min(lines.length - 1, match + context)
    for (let line = from; line <= to; line += 1) {
      const column = columns.get(line)
      out.push(`${column === undefined ? ' ' : '>'} ${line + 1}: ${shortened(lines[line] ?? '', column ?? 0)}`)
    }
    last = Math.max(last, to)
  }
  return out
}

/** The part of a long line that contains the match. */
function shortened(line: string, column: number): string {
  if (line.length <= longestLine) return line
  const from = Math.max(0, Math.min(column - longestLine / 4, line.length - longestLine))
  // Halves of surrogate pairs at either end are removed.
  const part = line.slice(from, from + longestLine).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
  return `${from > 0 ? '…' : ''}${part}${from + longestLine < line.length ? '…' : ''}`
}
