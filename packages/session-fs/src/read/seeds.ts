import { type JournalContent, parseJournal } from '../format/journal-content.ts'
import { firstSeed } from '../format/segment.ts'
import { type FoundSegment, type HeadFile, placeOf } from './survey.ts'

/** What a journal can continue from, gathered while the segments before it are read. */
export class Seeds {
  readonly #afterSeq = new Map<number, number>()
  readonly #others: number[]

  constructor(id: string, head: HeadFile) {
    this.#others = [firstSeed(id), ...(head.kind === 'good' ? [Number.parseInt(head.store.chain, 16)] : [])]
  }

  add(found: FoundSegment): void {
    const { sum } = found
    const place = found.kind === 'foreign' ? undefined : placeOf(found)
    // A crash between a seal and the journal after it leaves a journal that begins where the segment does.
    if (place !== undefined) this.#afterSeq.set(place.firstSeq - 1, place.previous)
    if (place !== undefined && sum !== undefined) this.#afterSeq.set(place.lastSeq, sum)
    if (sum !== undefined) this.#others.push(sum)
  }

  /** The journal, read from the checksum that lets most of it check. */
  read(bytes: Uint8Array): JournalContent {
    const content = parseJournal(
      bytes,
      (firstSeq) => this.#afterSeq.get(firstSeq - 1) ?? (this.#others.at(-1) as number),
    )
    if (content.faults.length === 0 || (content.offsets[0] ?? Infinity) < (content.faults[0] as number)) return content
    const others = [...this.#others, ...this.#afterSeq.values()]
      .slice(-8)
      .map((seed) => parseJournal(bytes, () => seed))
    return others.reduce((best, other) => (other.records.length > best.records.length ? other : best), content)
  }
}
