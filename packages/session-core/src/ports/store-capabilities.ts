import { LoaderError } from '../words/errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { Owner } from '../words/owner.ts'
import type { InboxMessage } from '../words/inbox-message.ts'
import type { Environment, Signal } from './environment.ts'
import type { SessionStore } from './store.ts'

/** Optional capabilities of a store. `withCapability` asks for one; the contract has clauses for each. */
export interface StoreCapabilities {
  /**
   * A new session with a copy of this one's events, up to `atSeq` or all, followed by an event that names the source.
   * Works while a writer holds the session, and does not change it.
   */
  fork(id: string, atSeq: number | undefined, options: ForkOptions): Promise<Fork>
  /**
   * Follows a session from an event on, also while another process writes it: durable events without gaps, never taken
   * back, and changes of the writer. It waits for more until the consumer stops or the signal aborts. The newest event
   * may appear only once a later event or a save confirms that it is durable.
   */
  watch(id: string, fromSeq?: number, options?: WatchOptions): AsyncIterableIterator<WatchItem>
  /** The writer that holds the session right now, or null. */
  holder(id: string): Promise<Owner | null>
  /**
   * Checks everything that is stored of a session, and reports which parts are intact and which are damaged. Reads
   * only.
   */
  verify(id: string): Promise<Verification>
  /** Copies everything intact of a session to another id. The session itself is not touched. */
  salvage(id: string, options: SalvageOptions): Promise<Salvage>
  /**
   * Stores a whole session that was made elsewhere as a new one, under its own id, or nothing of it: also where the
   * process or the machine ends meanwhile, and however large it is. Refused where the id is taken.
   */
  restore(history: WholeHistory): Promise<void>
  /**
   * Messages for the process that holds a session, from processes that do not. Works with and without a writer, and does
   * not disturb one.
   */
  inbox(id: string): Inbox
  /**
   * Sessions of this store go on on any machine that reaches it. So whatever a session does to files is stored with it,
   * in the same append as the results (`workspace.saved`).
   */
  readonly keepsFiles: true
}

/** The same store with its type showing the capability; throws an error that names it when the store lacks it. */
export function withCapability<Name extends keyof StoreCapabilities>(
  store: SessionStore,
  name: Name,
): SessionStore & Pick<StoreCapabilities, Name> {
  if (has(store, name)) return store
  throw new LoaderError(
    'unsupported',
    `This store cannot ${abilities[name]}. Use one that can, such as FileSessionStore.`,
  )
}

function has<Name extends keyof StoreCapabilities>(
  store: SessionStore,
  name: Name,
): store is SessionStore & Pick<StoreCapabilities, Name> {
  return store[name] !== undefined
}

const abilities: { readonly [Name in keyof StoreCapabilities]: string } = {
  fork: 'copy sessions',
  watch: 'follow a session that is being written',
  holder: 'tell who holds a session',
  verify: 'examine what it keeps of a session',
  salvage: 'copy what is intact of a damaged session',
  restore: 'take in a whole session at once',
  inbox: 'keep messages for the process that holds a session',
  keepsFiles: 'keep the files of a workspace',
}

/**
 * What waits for the process that holds a session, or for the next one. A message stays until it is removed, which its
 * reader does once what it says is in the session.
 */
export interface Inbox {
  /** Durable when this resolves. One with an id that is there already changes nothing. */
  put(message: InboxMessage): Promise<void>
  /** All that are there, in the order in which they were put. */
  messages(): Promise<readonly InboxMessage[]>
  /**
   * Removes a message; nothing happens if it is not there. With the epoch of a claim, nothing happens either where a later
   * claim was made: what a process that was displaced takes for too late may be meant for the next one.
   */
  remove(messageId: string, epoch?: number): Promise<void>
}

/** How `fork` names the new session. */
export interface ForkOptions {
  readonly environment: Environment
  /** Id of the new session. Without it the environment makes one. */
  readonly id?: string
}

/** What `fork` has made: a new session with a copy of the events up to one seq. */
export interface Fork {
  /** The new session. */
  readonly id: string
  /** The session that it was forked from, and the last event that was copied. */
  readonly from: { readonly id: string; readonly seq: number }
}

/** How a caller stops `watch`. */
export interface WatchOptions {
  /** Ends the iteration without an error. */
  readonly signal?: Signal
}

/** What `watch` yields while another process writes the session. */
export type WatchItem =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  /** Another writer has claimed the session: everything the previous one left running was interrupted. */
  | { readonly kind: 'writer_changed'; readonly epoch: number }

/** Events from one seq to another, both included. */
export interface SeqRange {
  readonly first: number
  readonly last: number
}

/** What was found of a session, file by file. */
export interface Verification {
  readonly id: string
  /** Whether everything that was ever acknowledged is there, as it was written. */
  readonly intact: boolean
  readonly events: {
    /** 0 when no event can be read. */
    readonly first: number
    readonly last: number
    /** Acknowledged events that cannot be read. */
    readonly missing: readonly SeqRange[]
  }
  readonly files: readonly VerifiedFile[]
  readonly findings: readonly VerifyFinding[]
}

/** A file, or another unit in which a store keeps a part of a session. */
export interface VerifiedFile {
  /** Its name in the store. */
  readonly file: string
  readonly kind: 'snapshot' | 'segment' | 'journal' | 'blob' | 'lock' | 'aside' | 'temporary' | 'other'
  readonly bytes: number
  /** Its content, in words. */
  readonly found: string
}

/** One thing that `verify` found in the files of a session. */
export interface VerifyFinding {
  readonly file: string
  /** The offset in the file at which it begins, if known. */
  readonly offset?: number
  /** damaged_segment, missing_events, snapshot_differs, torn_tail, … */
  readonly what: string
  readonly message: string
  /** `damage`: recorded data was lost or changed. `note`: harmless, such as leftovers of a crash. */
  readonly severity: 'damage' | 'note'
}

/** How `salvage` names the copy. */
export interface SalvageOptions {
  readonly environment: Environment
  /** Id of the copy. Without it one is derived from that of the session. */
  readonly as?: string
}

/** What `salvage` has rescued from a damaged session. The original stays as it is. */
export interface Salvage {
  /** The copy. */
  readonly id: string
  /** How many events of the session are in it. */
  readonly kept: number
  readonly lost: readonly Loss[]
}

/** A session from another store: every event from the first on, and the long texts, by the names that the events give them. */
export interface WholeHistory {
  readonly id: string
  readonly events: readonly StoredEvent[]
  readonly texts: ReadonlyMap<string, string>
}

/** What could not be kept, and why. */
export interface Loss {
  readonly what: string
  readonly why: string
}
