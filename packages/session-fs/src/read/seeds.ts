import type { ExaminedSegment } from '../format/examine-segment.ts'
import { type JournalContent, marksOf, parseJournal } from '../format/journal-content.ts'
import { otherSessionOf } from '../format/other-session.ts'
import { asOwn } from '../format/own-journal.ts'
import { firstSeed, plausiblePlace, type SegmentPlace, shownSum } from '../format/segment.ts'

/** What a segment says of the journal behind it. */
export interface Noted {
  /** Where it stands, if it is of this session. */
  readonly place: SegmentPlace | undefined
  /** The checksum that it ends with. */
  readonly sum: number | undefined
  readonly events: readonly string[]
}

export function notedIn(bytes: Uint8Array, examined: ExaminedSegment): Noted {
  if ('segment' in examined) {
    const { segment } = examined
    return { place: segment, sum: segment.sum, events: segment.events }
  }
  const isDamaged = examined.kind === 'damaged'
  const place = isDamaged ? plausiblePlace(bytes) : undefined
  return { place, sum: shownSum(bytes), events: isDamaged ? examined.events : [] }
}

/** What a journal can continue from, gathered while the segments before it are read; and which journal does. */
export class Seeds {
  readonly #id: string
  readonly #afterSeq = new Map<number, number>()
  readonly #known: readonly number[]
  readonly #sums: number[] = []
  #sealed: readonly string[] = []
  #sealedIn: string | undefined

  /** The chain is that of a good snapshot, as it is written there. */
  constructor(id: string, chain: string | undefined) {
    this.#id = id
    this.#known = [firstSeed(id), ...(chain === undefined ? [] : [Number.parseInt(chain, 16)])]
  }

  add({ place, sum, events }: Noted): void {
    // A crash between a seal and the journal after it leaves a journal that begins where the segment does.
    if (place !== undefined) this.#afterSeq.set(place.firstSeq - 1, place.previous)
    if (place !== undefined && sum !== undefined) this.#afterSeq.set(place.lastSeq, sum)
    if (sum !== undefined) this.#sums.push(sum)
    if (events.length === 0) return
    this.#sealed = events
    this.#sealedIn = place?.id
  }

  /** The journal, read from the checksum that lets most of it check; without an event if it is none of this session. */
  read(bytes: Uint8Array): JournalContent {
    const journal = this.#mostOf(bytes)
    const other = otherSessionOf(bytes, journal, { id: this.#id, sealedIn: this.#sealedIn })
    return asOwn(journal, this.#sealed, other)
  }

  #mostOf(bytes: Uint8Array): JournalContent {
    const usual = (this.#sums.at(-1) ?? this.#known.at(-1)) as number
    const seedFor = (firstSeq: number) => this.#afterSeq.get(firstSeq - 1) ?? usual
    const contents = []
    for (const mark of marksOf(this.#id)) {
      const content = parseJournal(bytes, mark, seedFor)
      if ((content.offsets[0] ?? Infinity) <= (content.faults[0] ?? Infinity)) return content
      contents.push(content)
    }
    const newest = [...this.#sums, ...this.#afterSeq.values()].slice(-8)
    for (const seed of [...this.#known, ...newest])
      for (const mark of marksOf(this.#id)) contents.push(parseJournal(bytes, mark, () => seed))
    return contents.reduce((best, other) => (other.records.length > best.records.length ? other : best))
  }
}
