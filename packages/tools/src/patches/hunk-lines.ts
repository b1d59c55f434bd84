import type { HunkLine } from './file-patch.ts'

/** Lines that are read one after the other. */
export interface LineReader {
  readonly lines: readonly string[]
  position: number
}

const header = /^@@+(?: -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))?)? ?@*/

export interface HunkHeader {
  readonly oldStart?: number
  readonly oldLines?: number
  readonly newLines?: number
}

/** `@@ -1,3 +1,4 @@`, or a bare `@@` from those who do not count lines. */
export function hunkHeader(line: string): HunkHeader | undefined {
  const found = header.exec(line)
  if (found === null) return undefined
  const [, oldStart, oldLines = '1', newLines = '1'] = found
  if (oldStart === undefined) return {}
  return { oldStart: Number(oldStart), oldLines: Number(oldLines), newLines: Number(newLines) }
}

/**
 * Reads the lines of a hunk. The counts of its header tell a removed line `-- x` from the header of the next file; but
 * counts are often wrong, so what can only belong to the hunk is taken beyond them, and what cannot ends it before.
 */
export function readHunkLines(reader: LineReader, counts: HunkHeader): HunkLine[] {
  const read: HunkLine[] = []
  const left = { old: counts.oldLines ?? Infinity, now: counts.newLines ?? Infinity }
  for (; reader.position < reader.lines.length; reader.position += 1) {
    const line = reader.lines[reader.position] as string
    if (line.startsWith('\\')) {
      markUnended(read)
      continue
    }
    const isComplete = left.old <= 0 && left.now <= 0
    const parsed = hunkLine(line)
    // Mail ends in a line `-- `, which looks like one to be removed.
    if (parsed === undefined || (isComplete && (isStripped(line) || line === '-- '))) break
    if (isFileHeader(reader) && (isComplete || left.old !== 1 || left.now !== 1)) break
    read.push(parsed)
    if (parsed.sign !== '+') left.old -= 1
    if (parsed.sign !== '-') left.now -= 1
  }
  const isShort = left.old > 0 || left.now > 0
  return isShort ? withoutTrailing(read, reader) : read
}

function hunkLine(line: string): HunkLine | undefined {
  if (isStripped(line)) return { sign: ' ', text: line }
  const [sign] = line
  return sign === ' ' || sign === '-' || sign === '+' ? { sign, text: line.slice(1) } : undefined
}

/** Editors and models strip the space that stands for an empty line of context. */
function isStripped(line: string): boolean {
  return line === '' || line === '\r'
}

function markUnended(read: HunkLine[]): void {
  const last = read.pop()
  if (last !== undefined) read.push({ ...last, unended: true })
}

/** Empty lines between a hunk that is too short and what comes next are no context. */
function withoutTrailing(read: HunkLine[], { lines, position }: LineReader): HunkLine[] {
  let end = read.length
  for (let above = position - 1; end > 0 && isStripped(lines[above] ?? '-'); above -= 1) end -= 1
  return read.slice(0, end)
}

function isFileHeader({ lines, position }: LineReader): boolean {
  const [first = '', second = '', third = ''] = lines.slice(position, position + 3)
  return first.startsWith('--- ') && second.startsWith('+++ ') && third.startsWith('@@')
}
