import {
  type BlobStore,
  type DurabilityLevel,
  LoaderError,
  type SessionState,
  type SessionWriter,
  type StoredEvent,
} from '@loader/session-core'
import { hex } from './checksum.ts'
import type { Disk } from './disk.ts'
import { isRefusal, refusal, uncertain } from './file-errors.ts'
import { encodeHead } from './head.ts'
import { Journal } from './journal.ts'
import { LatestState } from './latest-state.ts'
import type { Layout } from './layout.ts'
import type { Lock } from './lock.ts'
import { replaceFile } from './new-file.ts'
import { publishSegment } from './publish-segment.ts'
import type { Recovery } from './recover.ts'
import type { JournalRecord as Live } from './record.ts'

/** Space that is held back, so that a turn can still be ended on a full disk. */
const reserve = 8 * 1024
/** Room behind the size at which a journal is sealed, for what arrives until then. */
const slack = 64 * 1024

export interface WriterParts {
  readonly id: string
  readonly disk: Disk
  readonly layout: Layout
  readonly lock: Lock
  readonly blobs: BlobStore
  readonly rotateAfterBytes: number
  readonly recovery: Recovery
  /** Called once, when the first events of a new session are on the disk and before anybody hears of it. */
  readonly announce?: (state: SessionState | null) => Promise<void>
  /** Called when a head was saved and its row is wanted. */
  readonly list: (state: SessionState) => Promise<void>
}

interface Queued {
  readonly records: readonly { readonly seq: number; readonly json: string }[]
  readonly events: readonly StoredEvent[]
  readonly level: DurabilityLevel
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * The one writer of a session on disk.
 *
 * Invariants:
 * 1. What is enqueued in one tick shares one write and at most one flush; nothing is acknowledged before its flush, and
 *    after the flush only while the lock is still ours.
 * 2. One thing at a time: a commit, a seal, a save. Each finds the files as the one before left them.
 * 3. A refused write leaves no trace, and takes with it everything that was enqueued behind it.
 * 4. After a write of which nobody knows what reached the disk, nothing more is written but, once, what was
 *    acknowledged, into a new journal.
 */
export class FileSessionWriter implements SessionWriter {
  readonly id: string
  readonly epoch: number
  readonly blobs: BlobStore
  readonly #parts: WriterParts
  readonly #latest: LatestState
  #journal: Journal
  /** Records that are acknowledged and not sealed yet. */
  #live: Live[]
  #queue: Queued[] = []
  #isScheduled = false
  #tail: Promise<unknown> = Promise.resolve()
  #enqueuedSeq: number
  #writtenSeq: number
  #durableSeq: number
  #sealed: { number: number; lastSeq: number; chain: number }
  #sealAt: number
  #isFull = false
  #isFirst = true
  #poison: LoaderError | undefined
  #isReleased = false

  private constructor(parts: WriterParts, journal: Journal) {
    const { recovery, lock, rotateAfterBytes } = parts
    this.id = parts.id
    this.epoch = lock.epoch
    this.blobs = parts.blobs
    this.#parts = parts
    this.#latest = new LatestState(recovery.state, recovery.events)
    this.#journal = journal
    this.#live = [...recovery.live]
    this.#enqueuedSeq = recovery.lastSeq
    this.#writtenSeq = recovery.lastSeq
    this.#durableSeq = recovery.lastSeq
    this.#sealed = { number: recovery.segments, lastSeq: recovery.lastSealedSeq, chain: recovery.chain }
    this.#sealAt = rotateAfterBytes
  }

  /** Begins the journal of this epoch, with the records that are still live. */
  static async begin(parts: WriterParts): Promise<FileSessionWriter> {
    const { recovery } = parts
    return new FileSessionWriter(parts, await beginJournal(parts, recovery.live, recovery.chain))
  }

  append(events: readonly StoredEvent[], level: DurabilityLevel): Promise<void> {
    const obstacle = this.#obstacle() ?? this.#misplaced(events)
    if (obstacle) return Promise.reject(obstacle)
    if (events.length === 0) return this.#tail.then(() => undefined)
    // Written down now, so that it does not matter what the caller does with the events afterwards.
    const records = events.map((event) => ({ seq: event.seq, json: JSON.stringify(event) }))
    this.#enqueuedSeq += events.length
    return new Promise((resolve, reject) => {
      this.#queue.push({ records, events, level, resolve, reject })
      if (this.#isScheduled) return
      this.#isScheduled = true
      void this.#alone(() => this.#commit())
    })
  }

  save(state: SessionState, { index = true }: { readonly index?: boolean } = {}): Promise<void> {
    return this.#alone(async () => {
      const obstacle = this.#obstacle()
      if (obstacle) throw obstacle
      try {
        await this.#flushAll()
        if (!this.#journal.isAt(this.#parts.layout.journal)) await this.#beginAgain()
        this.#latest.set(state)
        await this.#writeHead(state)
        if (index) await this.#parts.list(state)
      } catch (error) {
        this.#parts.lock.noteFailure()
        throw isRefusal(error)
          ? refusal(error, `save session ${this.id}`, this.#parts.layout.head)
          : this.#poisoned(error)
      }
    })
  }

  release(): Promise<void> {
    return this.#alone(async () => {
      if (this.#isReleased) return
      this.#isReleased = true
      const what = `give session ${this.id} free`
      try {
        this.#letGo()
      } catch (error) {
        throw isRefusal(error)
          ? refusal(error, what, this.#parts.layout.journal)
          : uncertain(error, what, this.#parts.layout.journal)
      }
    })
  }

  #letGo(): void {
    try {
      this.#parts.lock.mark('released')
    } finally {
      this.#journal.close()
    }
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(work)
    // Whoever asked is told by the result; the next in line only has to wait for it.
    this.#tail = result.catch(() => undefined)
    return result
  }

  async #commit(): Promise<void> {
    // Whatever is enqueued until then joins the group.
    await this.#parts.disk.turn
    this.#isScheduled = false
    const group = this.#queue
    this.#queue = []
    // What was enqueued behind a refused write was given back with it.
    if (group.length === 0) return
    try {
      if (this.#poison) throw this.#poison
      await this.#write(group)
      for (const { resolve } of group) resolve()
    } catch (error) {
      this.#giveBack(group, error)
    }
  }

  async #write(group: readonly Queued[]): Promise<void> {
    if (this.#journal.used >= this.#sealAt) await this.#seal()
    const records = group.flatMap((queued) =>
      queued.records.map((record): Live => ({ ...record, epoch: this.epoch, durable: this.#durableSeq })),
    )
    const { bytes, sum } = this.#journal.encode(records)
    this.#makeRoom(bytes.length)
    const flushes = group.some(({ level }) => level === 'flush')
    await this.#put(bytes, flushes)
    this.#parts.lock.requireOwnership()
    this.#journal.advance(bytes.length, sum)
    this.#live.push(...records)
    this.#writtenSeq = (records.at(-1) as Live).seq
    if (flushes) this.#durableSeq = this.#writtenSeq
    for (const { events } of group) this.#latest.add(events)
    if (this.#isFirst) await this.#afterFirst()
  }

  async #put(bytes: Uint8Array, flushes: boolean): Promise<void> {
    const { disk } = this.#parts
    const inline = disk.flushesInline
    if (inline && flushes) while (disk.turn) await disk.turn
    try {
      if (inline) disk.writeAll(this.#journal.fd, bytes, this.#journal.position)
      else await disk.writeAllInPool(this.#journal.fd, bytes, this.#journal.position)
    } catch (error) {
      if (!isRefusal(error)) throw error
      await this.#journal.scrub(bytes.length)
      throw refusal(error, `write to session ${this.id}`, this.#parts.layout.journal)
    }
    if (!flushes) return
    if (inline) disk.flushInline(this.#journal.fd)
    else await disk.flushInPool(this.#journal.fd)
  }

  #makeRoom(bytes: number): void {
    const held = this.#isFull ? 0 : reserve
    const lacking = bytes + held - this.#journal.room
    if (lacking <= 0) return
    try {
      this.#journal.grow(lacking)
      this.#isFull = false
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Once this is known, the rest is there to end the turn with.
      this.#isFull = true
      throw refusal(error, `write to session ${this.id}`, this.#parts.layout.journal)
    }
  }

  /** What has to be done once the first record of this epoch is durable. */
  async #afterFirst(): Promise<void> {
    this.#isFirst = false
    this.#parts.lock.removeOlder()
    await this.#parts.announce?.(this.#latest.current())
  }

  /** Seals what is live into a segment and begins the next journal. On a full disk it is tried again later. */
  async #seal(): Promise<void> {
    await this.#flushAll()
    try {
      await this.#publishLive()
      const old = this.#journal
      this.#journal = await beginJournal(this.#parts, this.#live, this.#sealed.chain)
      old.close()
      this.#sealAt = this.#parts.rotateAfterBytes
      this.#isFull = false
      const state = this.#latest.current()
      if (state) await this.#writeHead(state)
    } catch (error) {
      this.#parts.lock.noteFailure()
      if (!isRefusal(error)) throw error
      this.#sealAt = this.#journal.used + Math.ceil(this.#parts.rotateAfterBytes / 8)
    }
  }

  /** Somebody removed our journal, or put another in its place: what it held is there again. */
  async #beginAgain(): Promise<void> {
    const old = this.#journal
    this.#journal = await beginJournal(this.#parts, this.#live, this.#sealed.chain)
    old.close()
  }

  async #publishLive(): Promise<void> {
    const [first, last] = [this.#live[0], this.#live.at(-1)]
    if (first === undefined || last === undefined) return
    const { disk, layout, lock, id } = this.#parts
    const number = this.#sealed.number + 1
    const place = { id, number, firstSeq: first.seq, lastSeq: last.seq, previous: this.#sealed.chain }
    const events = this.#live.map(({ json }) => json)
    const segment = await publishSegment(disk, layout, lock, { place, events })
    this.#sealed = { number, lastSeq: segment.lastSeq, chain: segment.sum }
    this.#live = this.#live.slice(segment.events.length)
  }

  async #flushAll(): Promise<void> {
    if (this.#durableSeq === this.#writtenSeq) return
    try {
      await this.#parts.disk.flush(this.#journal.fd)
    } catch (error) {
      throw this.#poisoned(error)
    }
    this.#durableSeq = this.#writtenSeq
  }

  async #writeHead(state: SessionState): Promise<void> {
    const { disk, layout, lock } = this.#parts
    const { number, lastSeq, chain } = this.#sealed
    const bytes = encodeHead(state, { epoch: this.epoch, segments: number, lastSealedSeq: lastSeq, chain: hex(chain) })
    const stillOurs = () => lock.requireOwnership()
    await replaceFile(disk, { path: layout.head, directory: layout.directory, bytes, stillOurs })
  }

  #giveBack(group: readonly Queued[], error: unknown): void {
    const reason = LoaderError.is(error) && isTold(error) ? error : this.#poisoned(error)
    const behind = this.#queue
    this.#queue = []
    this.#enqueuedSeq = this.#writtenSeq
    for (const { reject } of [...group, ...behind]) reject(reason)
  }

  /** Nothing more is written, but for one attempt to bring what was acknowledged into a new file. */
  #poisoned(error: unknown): LoaderError {
    if (this.#poison) return this.#poison
    const reason = uncertain(error, `write to session ${this.id}`, this.#parts.layout.journal)
    this.#poison = reason
    this.#parts.lock.noteFailure()
    if (reason.code === 'storage_uncertain') void this.#alone(() => this.#rescue())
    return reason
  }

  /** Should this fail as well, nothing is worse than before: the writer has said already that it does not know. */
  async #rescue(): Promise<void> {
    const rescued = await beginJournal(this.#parts, this.#live, this.#sealed.chain)
    rescued.close()
  }

  #obstacle(): LoaderError | undefined {
    if (this.#poison) return this.#poison
    if (!this.#isReleased) return undefined
    return new LoaderError('session_closed', `This writer of session ${this.id} was released. Claim the session again.`)
  }

  #misplaced(events: readonly StoredEvent[]): LoaderError | undefined {
    const wrong = events.findIndex(({ seq }, index) => seq !== this.#enqueuedSeq + 1 + index)
    if (wrong < 0) return undefined
    const expected = this.#enqueuedSeq + 1 + wrong
    const message = `Event ${events[wrong]?.seq} cannot be stored in session ${this.id}: ${expected} comes next.`
    return new LoaderError('impossible_event', message)
  }
}

function beginJournal(parts: WriterParts, records: readonly Live[], seed: number): Promise<Journal> {
  const { disk, layout, lock, rotateAfterBytes } = parts
  return Journal.begin(disk, layout.journal, layout.directory, {
    records,
    seed,
    size: rotateAfterBytes + slack,
    room: slack,
    stillOurs: () => lock.requireOwnership(),
  })
}

/** Errors after which one may go on. */
function isTold(error: LoaderError): boolean {
  return error.code === 'storage_full' || error.code === 'storage_refused'
}
