/** Where a line begins, and where it ends, without its newline. */
export interface Line {
  readonly start: number
  readonly end: number
}

/**
 * Whether lines that do not check are what is left of a write that did not finish, or were written whole and damaged
 * later. A disk takes whole sectors: where one is missing there is still what filled the journal, in front of a line,
 * between lines, or behind one that breaks off.
 */
export function leftByTornWrite(buffer: Buffer, from: number, lines: readonly Line[]): boolean {
  const last = lines.at(-1)
  if (last === undefined) return true
  const hasFiller = lines.some(({ start }, index) => start > (index === 0 ? from : (lines[index - 1] as Line).end + 1))
  return (
    hasFiller ||
    lines.some(({ start, end }) => buffer.subarray(start, end).includes(unwritten)) ||
    breaksOff(buffer, last)
  )
}

/** What a file system shows where a file grew and nothing was written. */
const unwritten = Buffer.alloc(16)

/** Whether a line is the beginning of a longer one, and as it was written so far. */
function breaksOff(buffer: Buffer, { start, end }: Line): boolean {
  // One character for each byte: a sector can end within a character.
  const text = buffer.toString('latin1', start, end)
  const open: string[] = []
  token.lastIndex = 0
  let at = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    at = token.lastIndex
    const [word] = found
    if (word === '[' || word === '{') open.push(word === '[' ? ']' : '}')
    if ((word === ']' || word === '}') && open.pop() !== word) return false
    if (open.length === 0) return false
  }
  return beginning.test(text.slice(at))
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{}:,]/gy
const beginning = /^(?:"(?:[^"\\]|\\.)*\\?|-|t|tr|tru|f|fa|fal|fals|n|nu|nul)?$/
