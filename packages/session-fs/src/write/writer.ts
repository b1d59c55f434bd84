import {
  type BlobStore,
  type DurabilityLevel,
  LoaderError,
  type SaveOptions,
  type SessionState,
  type SessionWriter,
  type StoredEvent,
} from '@loader/session-core'
import { isRefusal, refusal, uncertain } from '../disk/file-errors.ts'
import { replaceFile } from '../disk/new-file.ts'
import { SnapshotText } from '../format/snapshot.ts'
import type { Recovery } from '../read/recover.ts'
import type { JournalFound } from './claim.ts'
import { DurableMark } from './durable-mark.ts'
import { LatestState } from './latest-state.ts'
import { type Entry, LiveLog, type LiveLogParts } from './live-log.ts'

export interface WriterParts extends LiveLogParts {
  readonly blobs: BlobStore
  /** Called once, when the first events of a new session are on the disk, and before their flush is reported. */
  readonly announce?: (state: SessionState | null) => Promise<void>
  /** Called when a state was saved and its row is wanted. */
  readonly list: (state: SessionState) => Promise<void>
}

/**
 * A snapshot is old when the journal grew by this much since, and by the size of the snapshot itself: so all snapshots together are no
 * longer than the journals, and opening folds no more than that.
 */
const snapshotEvery = 64 * 1024

interface Queued {
  readonly entries: readonly Entry[]
  readonly events: readonly StoredEvent[]
  readonly level: DurabilityLevel
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * The one writer of a session on disk.
 *
 * Invariants:
 * 1. Events enqueued in one tick share one write and at most one flush; nothing is acknowledged before its flush, and
 *    after the flush only while the lock is still ours.
 * 2. One thing at a time: a commit, a seal, a save. Each finds the files as the one before left them.
 * 3. A refused write leaves no trace, and takes with it everything that was enqueued behind it.
 * 4. After a write of which it is not known how much reached the disk, nothing more is written but, once, the
 *    acknowledged events, into a new journal.
 * 5. Nothing is written to a session after it was given free without a failure: the next claim relies on that.
 */
export class FileSessionWriter implements SessionWriter {
  readonly id: string
  readonly epoch: number
  readonly blobs: BlobStore
  readonly #parts: WriterParts
  readonly #latest: LatestState
  readonly #log: LiveLog
  readonly #mark: DurableMark
  readonly #text = new SnapshotText()
  #queue: Queued[] = []
  #isScheduled = false
  #tail: Promise<unknown> = Promise.resolve()
  #enqueuedSeq: number
  /** How long the journal was when the snapshot was written last, how long that was, and over what it was written. */
  #snapshot: { readonly at: number; readonly bytes: number; readonly over: string }
  #isFirst = true
  #poison: LoaderError | undefined
  #released: Promise<void> | undefined

  private constructor(parts: WriterParts, recovery: Recovery) {
    this.id = parts.id
    this.epoch = parts.lock.epoch
    this.blobs = parts.blobs
    this.#parts = parts
    this.#latest = new LatestState(recovery.state, recovery.events)
    this.#log = new LiveLog(parts, recovery)
    this.#mark = new DurableMark(parts.lock)
    this.#enqueuedSeq = recovery.lastSeq
    this.#snapshot = { at: coveredBytes(recovery), bytes: 0, over: '' }
  }

  /** Goes on from what was found, in a journal of its own unless the one that is there may stand until there is need. */
  static async begin(
    parts: WriterParts,
    { recovery, journal }: { readonly recovery: Recovery; readonly journal: JournalFound },
  ): Promise<FileSessionWriter> {
    const writer = new FileSessionWriter(parts, recovery)
    if (journal !== 'stands') await writer.#log.begin()
    return writer
  }

  append(events: readonly StoredEvent[], level: DurabilityLevel): Promise<void> {
    const obstacle = this.#obstacle() ?? this.#misplaced(events)
    if (obstacle) return Promise.reject(obstacle)
    if (events.length === 0) return this.#tail.then(() => undefined)
    // Written down now, so that it does not matter what the caller does with the events afterwards.
    const entries = events.map((event) => ({ seq: event.seq, json: JSON.stringify(event) }))
    this.#enqueuedSeq += events.length
    return new Promise((resolve, reject) => {
      this.#queue.push({ entries, events, level, resolve, reject })
      if (this.#isScheduled) return
      this.#isScheduled = true
      void this.#alone(() => this.#commit())
    })
  }

  save(state: SessionState, { index = true, snapshot = true }: SaveOptions = {}): Promise<void> {
    const obstacle = this.#obstacle()
    if (obstacle) return Promise.reject(obstacle)
    return this.#alone(async () => {
      if (this.#poison) throw this.#poison
      try {
        await this.#flush()
        await this.#log.require()
        this.#latest.set(state)
        if (snapshot || this.#isSnapshotOld) await this.#writeSnapshot(state)
        if (index) await this.#parts.list(state)
      } catch (error) {
        this.#parts.lock.noteFailure()
        if (isRefusal(error)) this.#log.openReserve()
        throw isRefusal(error)
          ? refusal(error, `save session ${this.id}`, this.#parts.layout.snapshot)
          : this.#poisoned(error)
      }
    })
  }

  release(): Promise<void> {
    this.#released ??= this.#alone(async () => {
      const what = `give session ${this.id} free`
      try {
        this.#letGo()
      } catch (error) {
        throw isRefusal(error)
          ? refusal(error, what, this.#parts.layout.journal)
          : uncertain(error, what, this.#parts.layout.journal)
      }
    })
    return this.#released
  }

  #letGo(): void {
    try {
      this.#mark.close()
      // Cut while the session is ours. Where it is not known how much reached the disk, all of the journal stays.
      if (this.#poison === undefined) this.#log.cut()
      if (this.#poison === undefined && this.#snapshot.over === this.#over(this.#log.writtenSeq))
        this.#parts.lock.release()
      else this.#parts.lock.mark('released')
    } finally {
      this.#log.close()
    }
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(work)
    // The result tells the caller of a failure; the next work in line only has to wait for the end.
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
    if (this.#log.isLong) await this.#seal()
    else if (this.#isSnapshotOld) await this.#renewSnapshot()
    const flushes = group.some(({ level }) => level === 'flush')
    await this.#log.write(
      group.flatMap(({ entries }) => entries),
      flushes ? 'flush' : 'os',
    )
    for (const { events } of group) this.#latest.add(events)
    if (this.#isFirst) await this.#afterFirst()
    this.#mark.note(this.#log.durableSeq)
  }

  get #isSnapshotOld(): boolean {
    return this.#log.used - this.#snapshot.at >= Math.max(snapshotEvery, this.#snapshot.bytes)
  }

  /** What has to be done once the first record of this epoch is durable. */
  async #afterFirst(): Promise<void> {
    this.#isFirst = false
    await this.#parts.announce?.(this.#latest.current())
  }

  /**
   * Seals the live events, and saves the state after them unless it is much larger than the events since the last save,
   * as that of an imported history is. On a full disk it is tried again later.
   */
  async #seal(): Promise<void> {
    await this.#flush()
    try {
      const since = this.#log.used - this.#snapshot.at
      const { bytes } = this.#snapshot
      await this.#log.seal()
      this.#snapshot = { ...this.#snapshot, at: this.#log.used - since }
      const state = this.#latest.current()
      if (state && (bytes <= snapshotEvery || since >= bytes)) await this.#writeSnapshot(state)
    } catch (error) {
      this.#parts.lock.noteFailure()
      if (!isRefusal(error)) throw error
      this.#log.postponeSeal()
    }
  }

  /** Saves the state in a long turn, where nothing else does. Damage to events before it then costs history alone. */
  async #renewSnapshot(): Promise<void> {
    await this.#flush()
    try {
      const state = this.#latest.current()
      if (state) await this.#writeSnapshot(state)
    } catch (error) {
      this.#parts.lock.noteFailure()
      if (!isRefusal(error)) throw error
      this.#snapshot = { ...this.#snapshot, at: this.#log.used }
    }
  }

  async #flush(): Promise<void> {
    try {
      await this.#log.flush()
    } catch (error) {
      throw this.#poisoned(error)
    }
  }

  async #writeSnapshot(state: SessionState): Promise<void> {
    const { disk, layout, lock } = this.#parts
    const { place } = this.#log
    const over = this.#over(state.seq)
    // A turn that ended, and then the session: the same state.
    if (over === this.#snapshot.over && disk.exists(layout.snapshot)) return lock.requireOwnership()
    const pieces = this.#text.pieces(state, { epoch: this.epoch, ...place, tidy: lock.isTidy })
    const stillOurs = () => lock.requireOwnership()
    const bytes = await replaceFile(disk, {
      path: layout.snapshot,
      directory: layout.directory,
      bytes: pieces,
      stillOurs,
    })
    // The way to the newest lock begins at the epoch that the snapshot names. Until now that was an older one.
    if (this.#snapshot.over === '') {
      lock.removeOlder()
      lock.forget()
    }
    this.#snapshot = { at: this.#log.used, bytes, over }
  }

  #over(seq: number): string {
    return `${seq} ${this.#log.place.chain}`
  }

  #giveBack(group: readonly Queued[], error: unknown): void {
    const reason = LoaderError.is(error) && isTold(error) ? error : this.#poisoned(error)
    const behind = this.#queue
    this.#queue = []
    this.#enqueuedSeq = this.#log.writtenSeq
    for (const { reject } of [...group, ...behind]) reject(reason)
  }

  /** Nothing more is written, but for one attempt to bring what was acknowledged into a new file. */
  #poisoned(error: unknown): LoaderError {
    if (this.#poison) return this.#poison
    const reason = uncertain(error, `write to session ${this.id}`, this.#parts.layout.journal)
    this.#poison = reason
    this.#parts.lock.noteFailure()
    // Should the copy fail as well, nothing is worse than before: the caller is told that the outcome is not known.
    if (reason.code === 'storage_uncertain') void this.#alone(() => this.#log.leaveCopy())
    return reason
  }

  #obstacle(): LoaderError | undefined {
    if (this.#poison) return this.#poison
    if (this.#released === undefined) return undefined
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

/** How much of the journal the snapshot covers that was found. Where events have none, it is too old whatever it covers. */
function coveredBytes({ state, hasSnapshot, live, lastSeq }: Recovery): number {
  if (!hasSnapshot) return lastSeq === 0 ? 0 : Number.NEGATIVE_INFINITY
  const covered = live.filter(({ seq }) => seq <= (state?.seq ?? 0))
  return covered.reduce((sum, { size }) => sum + size, 0)
}

/** Errors after which one may go on. */
function isTold(error: LoaderError): boolean {
  return error.code === 'storage_full' || error.code === 'storage_refused'
}
