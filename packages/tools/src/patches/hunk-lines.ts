import type { HunkLine } from './file-patch.ts'

/** A list of lines and a reading position. */
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

/** `@@ -1,3 +1,4 @@`, or a bare `@@` from models that do not count lines. */
export function hunkHeader(line: string): HunkHeader | undefined {
  const found = header.exec(line)
  if (found === null) return undefined
  const [, oldStart, oldLines = '1', newLines = '1'] = found
  if (oldStart === undefined) return {}
  return { oldStart: Number(oldStart), oldLines: Number(oldLines), newLines: Number(newLines) }
}

/**
 * Reads the lines of a hunk. The counts in its header tell a removed line `-- x` from the header of the next file. But
 * counts are often wrong: lines that can only belong to the hunk are read beyond them, and others end it early.
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
    // Mails end in a line `-- `, which looks like a removed line.
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

/** An empty line stands for an empty context line: editors and models strip its leading space. */
function isStripped(line: string): boolean {
  return line === '' || line === '\r'
}

function markUnended(read: HunkLine[]): void {
  const last = read.pop()
  if (last !== undefined) read.push({ ...last, unended: true })
}

/** Removes empty lines after a hunk with too few lines: they are not context. */
function withoutTrailing(read: HunkLine[], { lines, position }: LineReader): HunkLine[] {
  let end = read.length
  for (let above = position - 1; end > 0 && isStripped(lines[above] ?? '-'); above -= 1) end -= 1
  return read.slice(0, end)
}

function isFileHeader({ lines, position }: LineReader): boolean {
  const [first = '', second = '', third = ''] = lines.slice(position, position + 3)
  return first.startsWith('--- ') && second.startsWith('+++ ') && third.startsWith('@@')
}
