/** Where a line begins, and where it ends, without its newline. */
export interface JournalLine {
  readonly start: number
  readonly end: number
}

export const newline = 10

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

const blank = Buffer.alloc(4096, '\n')

/** Where the newlines begin that a journal is filled with: most of it, and looked through in large steps. */
export function usedEnd(buffer: Buffer): number {
  let end = buffer.length
  while (end >= blank.length && blank.compare(buffer, end - blank.length, end) === 0) end -= blank.length
  while (end > 0 && buffer[end - 1] === newline) end -= 1
  return end
}

/** The lines that are not empty. The last one may lack its newline. */
export function* linesOf(buffer: Buffer): Generator<JournalLine> {
  const used = usedEnd(buffer)
  let start = 0
  while (start < used) {
    if (buffer[start] === newline) {
      start += 1
      continue
    }
    const found = buffer.indexOf(newline, start)
    const end = found < 0 ? buffer.length : found
    yield { start, end }
    start = end + 1
  }
}
