import { hex, markedChecksum } from './checksum.ts'

/**
 * One line of a journal: `["<checksum>",<epoch>,<seq>,<durable seq>,<event>]`.
 *
 * Invariants:
 * 1. The checksum covers everything behind it and continues from that of the record before, the first from the last
 *    segment. What an earlier attempt left behind therefore never fits. The mark of the session is in it (the first seed),
 *    so that nothing fits either that was written for another one. Older journals have none: their mark is 0.
 * 2. The durable seq is the last one known to be on the disk when the record was written. A bad record at or below the
 *    durable seq of a later one is damage; any other bad record was never acknowledged.
 */
export interface JournalRecord {
  readonly epoch: number
  readonly seq: number
  readonly durable: number
  /** The event as it is written. */
  readonly json: string
}

/** A record as it stands in a journal. */
export interface WrittenRecord extends JournalRecord {
  /** The whole line, without its newline. */
  readonly line: Uint8Array
  /** Bytes of the line, with its newline. */
  readonly size: number
  readonly sum: number
  /** The checksum that it continues from. */
  readonly previous: number
  /** The mark of the session in its checksum. */
  readonly mark: number
}

export function encodeRecord(record: JournalRecord, previous: number, mark: number): { line: string; sum: number } {
  const rest = `,${record.epoch},${record.seq},${record.durable},${record.json}]`
  const sum = markedChecksum(rest, previous, mark)
  return { line: `["${hex(sum)}"${rest}`, sum }
}

/** Lines that continue from `seed`. Those that do already are taken as they are. */
export function encodeRecords(
  records: readonly (JournalRecord | WrittenRecord)[],
  { seed, mark }: { readonly seed: number; readonly mark: number },
): { bytes: Uint8Array; sum: number } {
  let sum = seed
  let made = ''
  const pieces: Uint8Array[] = []
  for (const record of records) {
    const isWritten = 'line' in record && record.previous === sum && record.mark === mark
    const written = isWritten ? record : encodeRecord(record, sum, mark)
    sum = written.sum
    if (typeof written.line === 'string') made += `${written.line}\n`
    else {
      pieces.push(Buffer.from(made), written.line, lineEnd)
      made = ''
    }
  }
  const last = Buffer.from(made)
  return { bytes: pieces.length === 0 ? last : Buffer.concat([...pieces, last]), sum }
}

const lineEnd = Buffer.from('\n')
