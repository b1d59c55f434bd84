import { structuredPatch } from 'diff'
import { isAllCrlf, splitLines } from './line-endings.ts'

export interface UnifiedDiff {
  /** For people: hidden characters are made visible, and long texts are cut. */
  readonly text: string
  readonly added: number
  readonly removed: number
}

/** With more changed lines, no shortest diff is computed, because that takes quadratic time. */
const mostEdits = 1000
const longestLine = 2000
const longestDiff = 256 * 1024
const contextLines = 3

interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

/** The diff of a file; undefined means that the file does not exist. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): UnifiedDiff {
  const [old, now] = comparable(before ?? '', after ?? '')
  const hunks = hunksOf(old, now)
  const count = (sign: string) => hunks.flatMap(({ lines }) => lines.filter((line) => line.startsWith(sign))).length
  const headers = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ]
  const lines = [...headers, ...hunks.flatMap((hunk) => [headerOf(hunk), ...hunk.lines])]
  return { text: cut(lines), added: count('+'), removed: count('-') }
}

/** If both texts use CRLF, the carriage returns are left out, so that they do not show at the end of each line. */
function comparable(before: string, after: string): readonly [string, string] {
  if (!isAllCrlf(before) || !isAllCrlf(after)) return [before, after]
  return [before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')]
}

function hunksOf(before: string, after: string): readonly Hunk[] {
  if (before === after) return []
  const [old, now] = [splitLines(before), splitLines(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  const most = Math.min(old.length, now.length) - start
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1
  const from = Math.max(0, start - contextLines)
  const until = Math.max(0, end - contextLines)
  const near = shortestHunks(old.slice(from, old.length - until), now.slice(from, now.length - until))
  if (near !== undefined) return near.map((hunk) => movedBy(from, hunk))
  return [movedBy(start, wholeHunk(old.slice(start, old.length - end), now.slice(start, now.length - end)))]
}

function movedBy(lines: number, hunk: Hunk): Hunk {
  return { ...hunk, oldStart: hunk.oldStart + lines, newStart: hunk.newStart + lines }
}

/** Undefined if no line stays the same, or if computing it would take too long. */
function shortestHunks(old: readonly string[], now: readonly string[]): readonly Hunk[] | undefined {
  const known = new Set(old)
  if (!now.some((line) => known.has(line))) return undefined
  const options = { context: contextLines, maxEditLength: mostEdits }
  return structuredPatch('', '', old.join(''), now.join(''), '', '', options)?.hunks
}

function wholeHunk(old: readonly string[], now: readonly string[]): Hunk {
  const lines = [...old.flatMap((line) => signed('-', line)), ...now.flatMap((line) => signed('+', line))]
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }
}

function signed(sign: string, line: string): string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file']
}

function headerOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  // In a unified diff, a side with no lines is numbered by the line before it.
  const [old, now] = [oldLines === 0 ? oldStart - 1 : oldStart, newLines === 0 ? newStart - 1 : newStart]
  return `@@ -${old},${oldLines} +${now},${newLines} @@`
}

function cut(lines: readonly string[]): string {
  const shown: string[] = []
  let length = 0
  for (const [index, line] of lines.entries()) {
    const short =
      line.length <= longestLine
        ? line
        : `${line.slice(0, longestLine)}… (${line.length - longestLine} more characters)`
    length += short.length + 1
    if (length > longestDiff) return [...shown, `… (${lines.length - index} more lines)`, ''].join('\n')
    shown.push(visible(short))
  }
  return [...shown, ''].join('\n')
}

/**
 * Characters that move the cursor, hide text or change its direction. People must see exactly what they permit, so the
 * diff shows a visible stand-in for each.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g

function visible(text: string): string {
  return text.replace(hidden, standIn)
}

function standIn(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x24_00 + code)
  if (code === 0x7f) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
