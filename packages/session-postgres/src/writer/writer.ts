import {
  type BlobStore,
  type DurabilityLevel,
  LoaderError,
  type SessionState,
  type SessionWriter,
  type StoredEvent,
  summarize,
} from '@loader/session-core'
import { failureOf, storageError } from '../database/failure.ts'
import { blobOf, nameOfBlob, textOfBlob } from '../stored/blobs.ts'
import { readBlob } from '../stored/statements.ts'
import { AppendQueue } from './append-queue.ts'
import { change } from './change.ts'
import { type ClaimParts, HeldClaim } from './held-claim.ts'
import * as statements from './statements.ts'
import { storeOnce } from './store-once.ts'

export interface PostgresWriterParts extends ClaimParts {
  /** Called when something was stored. */
  readonly onStored: () => void
}

/**
 * The one writer of a session in the database.
 *
 * Invariants:
 * 1. One statement at a time changes the session, and names the token of this claim, the last seq that was known, and a
 *    lease that is not over. So it takes effect once, behind what was there, or not at all.
 * 2. An append is acknowledged after the database has said that it is committed. Where the answer was lost, the token is
 *    changed, which waits for the statement or keeps it out, and then the last seq says what became of it.
 * 3. What the database has refused left nothing behind; with it goes everything that was enqueued behind it.
 * 4. Nothing is begun after the lease is over as this process counts it, or after a statement with unknown outcome.
 */
export class PostgresSessionWriter implements SessionWriter {
  readonly id: string
  readonly blobs: BlobStore
  readonly #claim: HeldClaim
  readonly #onStored: () => void
  readonly #queue = new AppendQueue()
  #enqueuedSeq: number
  #tail: Promise<unknown> = Promise.resolve()
  #released: Promise<void> | undefined

  constructor(parts: PostgresWriterParts) {
    this.id = parts.id
    this.#claim = new HeldClaim(parts, () => this.#lookAgain())
    this.#onStored = parts.onStored
    this.#enqueuedSeq = parts.headSeq
    this.blobs = { put: (text) => this.#putBlob(text), get: (blob) => this.#getBlob(blob) }
  }

  get epoch(): number {
    return this.#claim.epoch
  }

  /** A history that was made elsewhere brings claims of its own: this one has to be above them. */
  async goAbove(epoch: number): Promise<void> {
    if (epoch < this.epoch) return
    await change(this.#claim, 'claim', statements.setEpoch, [epoch + 1])
    this.#claim.epoch = epoch + 1
  }

  /**
   * Removes long texts that no event names. Nothing has been written under this claim yet, and where the answer is lost
   * nothing may be: a statement that arrives late would take what was put since.
   */
  async removeBlobs(names: readonly string[]): Promise<void> {
    await this.#claim.run(statements.removeBlobs, [this.#claim.token, this.#claim.storedSeq, names.join('\n')])
  }

  /** Aborted when the session may belong to another writer. All work for it stops then. */
  get lost(): AbortSignal {
    return this.#claim.lost
  }

  append(events: readonly StoredEvent[], _level: DurabilityLevel): Promise<void> {
    const obstacle = this.#obstacle() ?? this.#misplaced(events)
    if (obstacle) return Promise.reject(obstacle)
    if (events.length === 0) return this.#tail.then(() => undefined)
    // Written down now, so that it does not matter what the caller does with the events afterwards.
    const bodies = events.map((event) => JSON.stringify(event))
    this.#enqueuedSeq += events.length
    return this.#queue.add(bodies, () => void this.#alone(() => this.#commit()))
  }

  save(state: SessionState, { index = true }: { readonly index?: boolean } = {}): Promise<void> {
    const obstacle = this.#obstacle()
    if (obstacle) return Promise.reject(obstacle)
    const row = index ? summarize(state) : undefined
    const saved = [JSON.stringify(state), state.seq] as const
    return this.#alone(async () => {
      this.#requireStored(state.seq)
      // Where nothing changes, a newer state is there.
      await (row === undefined
        ? change(this.#claim, 'save the state of', statements.saveState, saved)
        : change(this.#claim, 'save the state of', statements.saveStateAndRow, [
            ...saved,
            JSON.stringify(row),
            row.updatedAt,
          ]))
    })
  }

  release(): Promise<void> {
    this.#released ??= this.#alone(async () => {
      const claim = this.#claim
      claim.endLease()
      const tokens = [claim.token, claim.nextToken ?? claim.token] as const
      const free = () => claim.run(statements.release, tokens)
      try {
        await free().catch((error: unknown) => (failureOf(error) === 'lost' ? free() : Promise.reject(error)))
      } catch (error) {
        // This only delays the next writer: the lease ends by itself.
        if (failureOf(error) === 'refused') throw storageError(error, `give session ${this.id} free`)
      }
    })
    return this.#released
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(work)
    // The result tells the caller of a failure; the next work in line only has to wait for the end.
    this.#tail = result.catch(() => undefined)
    return result
  }

  #commit(): Promise<void> {
    return this.#queue.empty(
      async (bodies) => {
        this.#claim.requireSound()
        await storeOnce(this.#claim, bodies)
        this.#onStored()
      },
      (error) => {
        this.#enqueuedSeq = this.#claim.storedSeq
        return LoaderError.is(error) ? error : this.#claim.uncertain(error)
      },
    )
  }

  async #putBlob(text: string): Promise<{ readonly blob: string; readonly bytes: number }> {
    const obstacle = this.#obstacle()
    if (obstacle) throw obstacle
    const { name, bytes, length } = blobOf(text)
    await this.#alone(async () => {
      if (!(await change(this.#claim, 'keep a long text of', statements.putBlob, [name, bytes]))) {
        throw this.#claim.disagrees()
      }
    })
    return { blob: name, bytes: length }
  }

  async #getBlob(blob: string): Promise<string> {
    try {
      const { rows } = await this.#claim.run(readBlob, [nameOfBlob(this.id, blob)])
      return textOfBlob(this.id, blob, rows[0]?.['bytes'])
    } catch (error) {
      throw storageError(error, `read a long text of session ${this.id}`, { reads: true })
    }
  }

  /**
   * Finds out that this writer was displaced without waiting for the end of its lease. Asked behind the append that is
   * under way, which may just have changed the token; when the database does not answer, the next renewal asks again.
   */
  #lookAgain(): void {
    const asked = this.#alone(async () => {
      if (!(await this.#claim.renew()) && this.#released === undefined) await this.#claim.whyNot()
    })
    asked.catch(() => undefined)
  }

  /** A state speaks of events; what was refused must not live on in it. */
  #requireStored(seq: number): void {
    const { storedSeq } = this.#claim
    if (seq <= storedSeq) return
    const message = `The state at event ${seq} of session ${this.id} cannot be saved: its events end at ${storedSeq}.`
    throw new LoaderError('impossible_event', message)
  }

  #obstacle(): LoaderError | undefined {
    if (this.#released === undefined) return this.#claim.obstacle
    const message = `This writer of session ${this.id} was released. Claim the session again.`
    return this.#claim.obstacle ?? new LoaderError('session_closed', message)
  }

  #misplaced(events: readonly StoredEvent[]): LoaderError | undefined {
    const wrong = events.findIndex(({ seq }, index) => seq !== this.#enqueuedSeq + 1 + index)
    if (wrong < 0) return undefined
    const expected = this.#enqueuedSeq + 1 + wrong
    const message = `Event ${events[wrong]?.seq} cannot be stored in session ${this.id}: ${expected} comes next.`
    return new LoaderError('impossible_event', message)
  }
}
