import type { DurabilityLevel } from '@loader/session-core'
import { keepAside } from '../disk/aside.ts'
import type { Disk } from '../disk/disk.ts'
import { isRefusal, refusal } from '../disk/file-errors.ts'
import type { Lock } from '../disk/lock.ts'
import { hex } from '../format/checksum.ts'
import type { Layout } from '../format/layout.ts'
import type { JournalRecord } from '../format/record.ts'
import { firstSeed } from '../format/segment.ts'
import type { Recovery } from '../read/recover.ts'
import { Journal } from './journal.ts'
import { publishSegment } from './publish-segment.ts'

/** Space that is held back, so that a turn can still be ended on a full disk. */
const reserve = 8 * 1024
/** What a journal begins with behind its records: a turn that says little fits in. */
const firstRoom = reserve + 4 * 1024

export interface LiveLogParts {
  readonly id: string
  readonly disk: Disk
  readonly layout: Layout
  readonly lock: Lock
  readonly rotateAfterBytes: number
}

/** An event as it is written. */
export interface Entry {
  readonly seq: number
  readonly json: string
}

/**
 * The live events, which are acknowledged and not sealed yet, and the journal that holds them.
 *
 * Invariants:
 * 1. The journal of another writer is never written to. Where it may stand until there is something to write, the first
 *    write begins the next one, with the live events and the new ones, which gets its name once all of it is durable.
 * 2. Nothing counts before its flush, nor after it unless the lock is still ours.
 * 3. A refused write leaves no trace.
 * 4. A segment is durable under its name before the journal after it begins.
 * 5. Nothing counts either unless the name of the journal leads to the file that was written. Where another program
 *    replaced or removed it, all that is live goes into a new file under the name, and what was there is kept aside.
 *    A writer whose lock is gone as well stops instead: then the other program meant the whole session.
 *
 * One thing at a time: the caller waits until one call has ended before making the next.
 */
export class LiveLog {
  readonly #parts: LiveLogParts
  /** Bytes of the live events in the journal that the claim found. */
  readonly #foundBytes: number
  #journal: Journal | undefined
  #records: JournalRecord[]
  #writtenSeq: number
  #durableSeq: number
  #sealed: { number: number; lastSeq: number; chain: number }
  #sealAt: number
  #isFull = false

  constructor(parts: LiveLogParts, { live, lastSeq, segments, lastSealedSeq, chain }: Recovery) {
    this.#parts = parts
    this.#foundBytes = live.reduce((sum, { size }) => sum + size, 0)
    this.#records = [...live]
    this.#writtenSeq = lastSeq
    this.#durableSeq = lastSeq
    this.#sealed = { number: segments, lastSeq: lastSealedSeq, chain }
    this.#sealAt = parts.rotateAfterBytes
  }

  get writtenSeq(): number {
    return this.#writtenSeq
  }

  get durableSeq(): number {
    return this.#durableSeq
  }

  /** How a snapshot that is written now fits the files beside it. */
  get place(): { readonly segments: number; readonly lastSealedSeq: number; readonly chain: string } {
    const { number, lastSeq, chain } = this.#sealed
    return { segments: number, lastSealedSeq: lastSeq, chain: hex(chain) }
  }

  /** Whether it is time to seal. */
  get isLong(): boolean {
    return this.used >= this.#sealAt
  }

  /** Bytes of the journal that are in use. */
  get used(): number {
    return this.#journal?.used ?? this.#foundBytes
  }

  /** Begins a journal with the live events and the new ones, in the place of any file that is there. */
  async begin(added: readonly JournalRecord[] = []): Promise<void> {
    const old = this.#journal
    const stray = old !== undefined && !old.isWhole(this.#parts.layout.journal)
    this.#journal = await this.#newJournal([...this.#records, ...added], { keepsStray: stray })
    old?.close()
  }

  /** Begins a journal with the live events alone, and closes it: this writer writes nothing more to it. */
  async leaveCopy(): Promise<void> {
    const copy = await this.#newJournal(this.#records)
    copy.close()
  }

  /** Makes sure that there is a journal which was begun here, under its name. */
  async require(): Promise<void> {
    if (this.#journal?.isWhole(this.#parts.layout.journal) !== true) await this.begin()
  }

  /** Writes what comes behind. With level `flush` it is durable when this resolves. */
  async write(entries: readonly Entry[], level: DurabilityLevel): Promise<void> {
    const { epoch } = this.#parts.lock
    const records = entries.map(({ seq, json }) => ({ seq, json, epoch, durable: this.#durableSeq }))
    if (this.#journal === undefined) await this.#beginWith(records)
    else await this.#add(this.#journal, records, level)
    for (const record of records) this.#records.push(record)
    this.#writtenSeq = records.at(-1)?.seq ?? this.#writtenSeq
    if (level === 'flush') this.#durableSeq = this.#writtenSeq
  }

  /** Makes durable what was written with level `os`. */
  async flush(): Promise<void> {
    if (this.#journal === undefined || this.#durableSeq === this.#writtenSeq) return
    await this.#flushOf(this.#journal)
    this.#durableSeq = this.#writtenSeq
  }

  /** Seals the live events into a segment, and begins the next journal. */
  async seal(): Promise<void> {
    await this.#publish()
    await this.begin()
    this.#sealAt = this.#parts.rotateAfterBytes
    this.#isFull = false
  }

  /** The caller knows that the disk is full: the rest is there to end the turn with. */
  openReserve(): void {
    this.#isFull = true
  }

  /** Where sealing was refused, it is tried again a little later. */
  postponeSeal(): void {
    this.#sealAt = this.used + Math.ceil(this.#parts.rotateAfterBytes / 8)
  }

  /** Cuts the unused space off the journal, when nothing more is written to it. */
  cut(): void {
    this.#journal?.cut()
  }

  close(): void {
    this.#journal?.close()
  }

  async #beginWith(records: readonly JournalRecord[]): Promise<void> {
    const { lock } = this.#parts
    try {
      this.#journal = await this.#newJournal([...this.#records, ...records])
    } catch (error) {
      lock.noteFailure()
      throw this.#asRefusal(error)
    }
    lock.requireOwnership()
  }

  async #add(journal: Journal, records: readonly JournalRecord[], level: DurabilityLevel): Promise<void> {
    const { bytes, sum } = journal.encode(records)
    this.#makeRoom(journal, bytes.length)
    // Room is made ahead, and becomes durable with the next flush; only a large record reaches behind it before that.
    if (!journal.holds(bytes.length)) await this.#flushOf(journal)
    await this.#put(journal, bytes, level)
    this.#parts.lock.requireOwnership()
    if (this.#isInPlace(journal)) journal.advance(bytes.length, sum)
    else await this.#bringBack(journal, bytes.length, records)
  }

  #isInPlace(journal: Journal): boolean {
    return journal.isAt(this.#parts.layout.journal)
  }

  /** The records just written stand in a file that lost its name: they go into the next journal, or are refused. */
  async #bringBack(journal: Journal, bytes: number, records: readonly JournalRecord[]): Promise<void> {
    try {
      await this.begin(records)
    } catch (error) {
      // The file that was moved away can come back.
      if (isRefusal(error)) await journal.scrub(bytes)
      this.#parts.lock.noteFailure()
      throw this.#asRefusal(error)
    }
    this.#parts.lock.requireOwnership()
  }

  async #put(journal: Journal, bytes: Uint8Array, level: DurabilityLevel): Promise<void> {
    const { disk } = this.#parts
    const inline = disk.flushesInline
    if (inline && level === 'flush') while (disk.turn) await disk.turn
    try {
      if (inline) disk.writeAll(journal.fd, bytes, journal.position)
      else await disk.writeAllInPool(journal.fd, bytes, journal.position)
    } catch (error) {
      if (isRefusal(error)) await journal.scrub(bytes.length)
      throw this.#asRefusal(error)
    }
    if (level !== 'flush') return
    if (inline) disk.flushInline(journal.fd)
    else await disk.flushInPool(journal.fd)
    journal.flushed()
  }

  async #flushOf(journal: Journal): Promise<void> {
    await this.#parts.disk.flush(journal.fd)
    journal.flushed()
  }

  #makeRoom(journal: Journal, bytes: number): void {
    const held = this.#isFull ? 0 : reserve
    const lacking = bytes + held - journal.room
    if (lacking <= 0) return
    try {
      journal.grow(lacking)
      this.#isFull = false
    } catch (error) {
      // Once this is known, the rest is there to end the turn with.
      if (isRefusal(error)) this.#isFull = true
      throw this.#asRefusal(error)
    }
  }

  /** All that is live, or the first of it, which a writer sealed that was displaced meanwhile. */
  async #publish(): Promise<void> {
    const [first, last] = [this.#records[0], this.#records.at(-1)]
    if (first === undefined || last === undefined) return
    const { disk, layout, lock, id } = this.#parts
    const number = this.#sealed.number + 1
    const place = { id, number, firstSeq: first.seq, lastSeq: last.seq, previous: this.#sealed.chain }
    const events = this.#records.map(({ json }) => json)
    const segment = await publishSegment(disk, layout, lock, { place, events })
    this.#sealed = { number, lastSeq: segment.lastSeq, chain: segment.sum }
    this.#records = this.#records.slice(segment.events.length)
  }

  #newJournal(records: readonly JournalRecord[], { keepsStray = false } = {}): Promise<Journal> {
    const { disk, layout, lock, id } = this.#parts
    return Journal.begin(disk, layout.journal, layout.directory, {
      records,
      seed: this.#sealed.chain,
      mark: firstSeed(id),
      room: firstRoom,
      stillOurs: () => {
        lock.requireOwnership()
        // Another program put this file there, and it may be needed: perhaps a user restored an older version.
        if (!keepsStray || !disk.exists(layout.journal)) return
        keepAside(disk, layout.journal)
        lock.noteStray()
      },
    })
  }

  #asRefusal(error: unknown): unknown {
    const { id, layout } = this.#parts
    return isRefusal(error) ? refusal(error, `write to session ${id}`, layout.journal) : error
  }
}
