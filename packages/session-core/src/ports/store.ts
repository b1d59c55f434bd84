import type { StoredEvent } from '../events/event.ts'
import type { Immutable } from '../words/immutable.ts'
import type { Owner } from '../words/owner.ts'
import type { SessionState } from '../state/state.ts'
import type { SessionRow } from '../state/session-row.ts'
import type { Verdict } from '../words/verdict.ts'
import type { WorkflowMode } from '../words/workflow-mode.ts'
import type { Signal } from './environment.ts'
import type { StoreCapabilities } from './store-capabilities.ts'

/** How sure an append is: `flush` survives a power cut, `os` the end of the process. */
export type DurabilityLevel = 'flush' | 'os'

/** Long texts of one session, named by their content. */
export interface BlobStore {
  /** Resolves when the text is durable, so that an event may name it. */
  put(text: string): Promise<{ readonly blob: string; readonly bytes: number }>
  /** The same text, or LoaderError `blob_missing`. */
  get(blob: string): Promise<string>
}

/** What a claim found and did, for people to read. */
export interface RecoveryFinding {
  /** What was found: torn_tail, stale_snapshot, damaged_snapshot, missing_history, … */
  readonly what: string
  /** In words, with the place and what was done about it. */
  readonly message: string
  /** The path of what was set aside. */
  readonly kept?: string
}

/**
 * What a claim repaired or noticed in what an earlier process left behind. Show it to the user when it is not empty.
 */
export interface RecoveryReport {
  readonly findings: readonly RecoveryFinding[]
}

/** The parts of a save that may be postponed. Both are derived from the events, so a stale one only costs time. */
export interface SaveOptions {
  /** With `false` the row waits for a later save. */
  readonly index?: boolean
  /** With `false` the snapshot waits until the store finds it too old, or for a later save. */
  readonly snapshot?: boolean
}

/**
 * The one writer of a session.
 *
 * Contract:
 * 1. `append` enqueues at once and in order; it resolves when its events are durable at their level. Later appends
 *    never resolve before earlier ones of the same level.
 * 2. An append that rejects with `storage_full` or `storage_refused` stored nothing, and neither did the appends
 *    enqueued after it; the writer goes on with the seq after the last durable event.
 * 3. Any other rejection leaves the writer unusable.
 * 4. A writer that was displaced by another claim rejects with `writer_fenced` and changes nothing.
 * 5. Once `lost` is aborted the writer is displaced: nothing more is stored through it.
 */
export interface SessionWriter {
  readonly id: string
  readonly epoch: number
  readonly blobs: BlobStore
  /**
   * Aborted when another writer may have the session, or may get it at any moment, with a LoaderError `writer_fenced` as
   * its reason. Who works for the session stops then, and kills the processes that it started. A store whose claims do
   * not end by themselves needs none: its writers learn at their next write that they were displaced.
   */
  readonly lost?: Signal | undefined
  append(events: readonly StoredEvent[], level: DurabilityLevel): Promise<void>
  /**
   * Makes everything appended so far durable, and stores the state as the snapshot and its row, unless they may be
   * postponed.
   */
  save(state: SessionState, options?: SaveOptions): Promise<void>
  /** Releases the claim. Resolves when another writer may claim the session. */
  release(): Promise<void>
}

/** What a store must know before it makes a caller the one writer of a session. */
export interface ClaimOptions {
  readonly owner: Owner
  /** `new` refuses an id that is taken, `existing` one that is not. */
  readonly expect: 'new' | 'existing'
  /** Take the session from a live writer, which can then write no more. */
  readonly takeover?: boolean
}

/** A claimed session: the saved state, and the events after it. */
export interface Claim {
  readonly writer: SessionWriter
  /** The saved state, if it still fits the events. */
  readonly state: SessionState | null
  /** The events after that state, or all of them. */
  readonly events: readonly StoredEvent[]
  readonly report: RecoveryReport
}

/** Where reading begins, and whether damage stops it. */
export interface ReadOptions {
  readonly fromSeq?: number
  /**
   * What happens at events that cannot be read. `refuse`, the default: reading rejects with `session_damaged`. `mark`:
   * an `event.lost` stands in the place of each, and everything that is intact is read.
   */
  readonly gaps?: 'refuse' | 'mark'
}

/** Which rows `list` returns. All conditions must hold; without any, every session is listed. */
export interface ListQuery {
  /** At most this many rows. */
  readonly limit?: number
  /** Where the previous page ended. */
  readonly cursor?: string
  /** Only rows whose title, excerpt or metadata contain this text, in any case. */
  readonly text?: string
  /** Only rows whose metadata has these values. */
  readonly metadata?: Immutable<SessionRow['metadata']>
  /** Only rows in this mode, with this verdict, in this status. */
  readonly mode?: WorkflowMode
  readonly verdict?: Verdict
  readonly status?: SessionRow['status']
  /** Compare the rows with the stored sessions, instead of trusting the index. */
  readonly check?: boolean
}

/** One page of a listing. Pass `cursor` to `list` again to get the next one. */
export interface SessionPage {
  /** Newest first. */
  readonly rows: readonly SessionRow[]
  /** Present when there are more. */
  readonly cursor?: string
}

/** Where sessions are kept. Every implementation passes the same contract suite; what it can do besides is optional. */
export interface SessionStore extends Partial<StoreCapabilities> {
  list(query?: ListQuery): Promise<SessionPage>
  /** The durable events from `fromSeq` on. Never locks, never repairs, never writes. */
  read(id: string, options?: ReadOptions): AsyncIterable<StoredEvent>
  /** A long text of a session, without claiming it. */
  readBlob(id: string, blob: string): Promise<string>
  claim(id: string, options: ClaimOptions): Promise<Claim>
  /**
   * Removes the session and everything that belongs to it. Refused while a writer holds it. A store may keep what was
   * removed in a trash; with `erase` it is gone.
   */
  delete(id: string, options?: { readonly erase?: boolean }): Promise<void>
}
