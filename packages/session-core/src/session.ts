/// <reference lib="esnext.disposable" preserve="true" />
import { type EventInput, isSessionEvent, parseEvent, type SessionEvent, type StoredEvent } from './events/event.ts'
import { Listeners } from './listeners.ts'
import { checkedClaim } from './ports/checked-claim.ts'
import type { Environment, Signal } from './ports/environment.ts'
import type {
  BlobStore,
  Claim,
  DurabilityLevel,
  RecoveryReport,
  SaveOptions,
  SessionStore,
  SessionWriter,
} from './ports/store.ts'
import { unreadable } from './read-session.ts'
import { fold, reduce } from './reduce/reduce.ts'
import { sessionFormat, type SessionState } from './state/state.ts'
import { UsedIds } from './used-ids.ts'
import type { ParentSession } from './words/child.ts'
import { isStorageRefusal, LoaderError } from './words/errors.ts'
import { type JsonObject, notJson } from './words/json.ts'
import type { Owner } from './words/owner.ts'
import { excerptOf, longestInlineText, type StoredText, utf8Length } from './words/stored-text.ts'
import type { CompletionTraceEntry } from './words/timeline.ts'

/** What every open session needs: clock and ids, the owner, and the receiver of subscribers' errors. */
export interface SessionOptions {
  readonly environment: Environment
  readonly owner?: Owner
  /** Called when a subscriber throws. Without it, `close` rejects with the first such error, after it has saved. */
  readonly onListenerError?: (error: unknown, event: SessionEvent) => void
}

/** How `Session.open` begins a new session. Title, project and metadata appear in lists of sessions. */
export interface OpenOptions extends SessionOptions {
  readonly id?: string
  readonly title?: string
  readonly project?: { readonly root: string; readonly id?: string }
  readonly metadata?: JsonObject
  readonly legacyTrace?: readonly CompletionTraceEntry[]
  /** The session that begins it for a part of its own task. */
  readonly parent?: ParentSession
}

/** How `Session.load` continues an existing session. */
export interface LoadOptions extends SessionOptions {
  /** Take the session from a live writer, which can then write no more. */
  readonly takeover?: boolean
}

/** An event that is in the state but not yet known to be durable. */
interface Pending {
  readonly event: SessionEvent
  readonly after: SessionState
}

/**
 * One open session, held by its one writer.
 *
 * Invariants:
 * 1. `state` is the fold of exactly the events that are durable or being written.
 * 2. Subscribers see an event only once it is durable, in order.
 * 3. A write that was refused as a whole takes its events back out of the state, and the next call says so.
 * 4. After a write whose fate is uncertain, and once the claim is lost, nothing more is recorded; the session has to be
 *    loaded again.
 */
export class Session implements AsyncDisposable {
  readonly id: string
  readonly epoch: number
  /** What the claim found, for people to read. */
  readonly recovery: RecoveryReport

  readonly #writer: SessionWriter
  readonly #environment: Environment
  readonly #listeners: Listeners
  readonly #used: UsedIds
  #state: SessionState
  #durableState: SessionState
  #pending: Pending[] = []
  /** Settles when the last recorded event is durable, or with the error why it is not. Never rejects. */
  #settled: Promise<LoaderError | undefined> = Promise.resolve(undefined)
  /** A refused write that has not been reported to a caller yet. */
  #refusal: LoaderError | undefined
  #poison: LoaderError | undefined
  #closing: Promise<void> | undefined

  private constructor(writer: SessionWriter, state: SessionState, recovery: RecoveryReport, options: SessionOptions) {
    this.id = writer.id
    this.epoch = writer.epoch
    this.recovery = recovery
    this.#writer = writer
    this.#used = new UsedIds(state)
    this.#state = state
    this.#durableState = state
    this.#environment = options.environment
    this.#listeners = new Listeners(options.onListenerError)
  }

  /** Begins a session. When this resolves, it is durable and listed. */
  static async open(store: SessionStore, options: OpenOptions): Promise<Session> {
    requireEnvironment(options)
    const { environment, project, title, metadata, legacyTrace, parent } = options
    const id = options.id ?? environment.newId('ses')
    const claim = await checkedClaim(store, id, { owner: options.owner ?? defaultOwner, expect: 'new' })
    const opened: EventInput = {
      type: 'session.opened',
      format: sessionFormat,
      id,
      project,
      title,
      parent,
      metadata,
      legacyTrace,
    }
    return releaseOnFailure(claim.writer, () => Session.#begin(claim, null, [opened], options))
  }

  /** Continues a session. Runs nothing: interrupted calls and requests are in the state, for the caller to reconcile. */
  static async load(store: SessionStore, id: string, options: LoadOptions): Promise<Session> {
    requireEnvironment(options)
    const { takeover = false, owner = defaultOwner } = options
    const claim = await checkedClaim(store, id, { owner, expect: 'existing', takeover })
    return releaseOnFailure(claim.writer, async () => {
      const state = fold(claim.events, claim.state)
      if (state === null) throw unreadable(id)
      requireContinuable(state)
      return Session.#begin(claim, state, [], options)
    })
  }

  static async #begin(
    { writer, report }: Claim,
    from: SessionState | null,
    inputs: readonly EventInput[],
    options: SessionOptions,
  ): Promise<Session> {
    const { environment, owner = defaultOwner } = options
    const knowsGaps = from?.gaps?.open === true ? { knowsGaps: true as const } : {}
    const claimed: EventInput = { type: 'session.claimed', epoch: writer.epoch, owner, ...knowsGaps }
    const first = (from?.seq ?? 0) + 1
    const events = [...inputs, claimed].map((input, index) => place(input, first + index, environment))
    await writer.append(events, 'flush')
    const session = new Session(writer, fold(events, from) as SessionState, report, options)
    // A loaded session has a snapshot, which lacks only the claim.
    await session.save({ snapshot: from === null })
    return session
  }

  get state(): SessionState {
    return this.#state
  }

  get environment(): Environment {
    return this.#environment
  }

  get blobs(): BlobStore {
    return this.#writer.blobs
  }

  /**
   * Aborted when another writer may have the session. Nothing can be recorded from then on; stop what works for the
   * session. Absent where the store tells only at the next write.
   */
  get lost(): Signal | undefined {
    return this.#writer.lost
  }

  /** Adds a fact to the state and sends it to the store, without waiting. An impossible one is refused here. */
  record(input: EventInput): SessionEvent {
    return this.recordAll([input])[0] as SessionEvent
  }

  /** Adds several facts without waiting for the store. If one of them is impossible, none is recorded. */
  recordAll(inputs: readonly EventInput[]): readonly SessionEvent[] {
    this.#requireUsable()
    let state = this.#state
    const sent = this.#pending.map(({ event }) => event)
    const pending = inputs.map((input): Pending => {
      const event = place(input, state.seq + 1, this.#environment)
      this.#used.requireUnused(event, sent)
      state = reduce(state, event)
      sent.push(event)
      return { event, after: state }
    })
    if (pending.length === 0) return []
    this.#state = state
    for (const each of pending) this.#pending.push(each)
    const events = pending.map(({ event }) => event)
    this.#follow(pending, this.#writer.append(events, levelOf(events)))
    return events
  }

  /** Resolves when everything recorded so far is durable; rejects when any of it was refused. */
  async durable(): Promise<void> {
    const failure = await this.#settled
    if (failure && this.#refusal === failure) this.#refusal = undefined
    if (failure) throw failure
    this.#throwRefusal()
    this.#requireSound()
  }

  /** Records one or several events and waits until they are durable. If one of them is impossible, none is recorded. */
  async append(input: EventInput | readonly EventInput[]): Promise<void> {
    this.recordAll(isList(input) ? input : [input])
    await this.durable()
  }

  /** Stores a long text as a blob; returns a short one unchanged. Durable when this resolves. */
  async storeText(text: string): Promise<StoredText> {
    if (typeof text !== 'string') throw invalid('A text is a string.')
    if (text.length * 3 <= longestInlineText || utf8Length(text) <= longestInlineText) return text
    const { blob, bytes } = await this.#writer.blobs.put(text)
    return { blob, bytes, excerpt: excerptOf(text) }
  }

  /** The whole text, from its blob if it has one. */
  async readText(text: StoredText): Promise<string> {
    return typeof text === 'string' ? text : this.#writer.blobs.get(text.blob)
  }

  /**
   * Makes everything durable, and stores the state as the snapshot and its row in the index. It records no event and
   * changes no time. With `snapshot: false` the snapshot is written only when the store finds it too old: enough at the end of
   * a turn, because closing the session writes it.
   */
  async save(options: SaveOptions = {}): Promise<void> {
    await this.durable()
    try {
      await this.#writer.save(this.#durableState, options)
    } catch (error) {
      if (!isStorageRefusal(error)) this.#poison ??= asUncertain(error, this.id)
      throw error
    }
  }

  /** Calls the listener for every event once it is durable. Returns a function that removes the listener. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Saves the session and releases it. Further calls return without doing anything. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    try {
      if (!this.#poison && this.lost?.aborted !== true) await this.save()
    } finally {
      await this.#writer.release()
    }
    this.#listeners.requireNoFailure(this.id)
  }

  #follow(pending: readonly Pending[], written: Promise<void>): void {
    const before = this.#settled
    const outcome = written.then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    this.#settled = (async () => {
      const failure = await outcome
      await before
      if (failure === undefined) return this.#acknowledge(pending)
      return this.#refuse(pending, failure.error)
    })()
  }

  #acknowledge(pending: readonly Pending[]): LoaderError | undefined {
    // Removed already, together with the refused write before it.
    if (this.#pending[0] !== pending[0]) return this.#poison
    this.#pending.splice(0, pending.length)
    this.#durableState = (pending.at(-1) as Pending).after
    for (const { event } of pending) {
      this.#used.add(event)
      this.#listeners.tell(event)
    }
    return undefined
  }

  #refuse(pending: readonly Pending[], error: unknown): LoaderError {
    if (!isStorageRefusal(error)) {
      this.#poison ??= asUncertain(error, this.id)
      return this.#poison
    }
    if (this.#pending[0] === pending[0]) {
      this.#refusal = error
      this.#pending = []
      this.#state = this.#durableState
      // Current waiters already hold the rejected promise; later writes start with a fresh one.
      this.#settled = Promise.resolve(undefined)
    }
    return error
  }

  #requireUsable(): void {
    if (this.#closing) {
      throw new LoaderError('session_closed', `Session ${this.id} is closed. Load it again to continue it.`)
    }
    this.#requireSound()
    this.#throwRefusal()
  }

  /** Nothing is recorded after an uncertain write, nor after the claim was lost. */
  #requireSound(): void {
    if (this.lost?.aborted === true) this.#poison ??= asDisplaced(this.lost.reason, this.id)
    if (this.#poison) throw this.#poison
  }

  /** A refusal is told once: after that its events are known to be gone, and the session goes on without them. */
  #throwRefusal(): void {
    const refusal = this.#refusal
    this.#refusal = undefined
    if (refusal) throw refusal
  }
}

const defaultOwner: Owner = { type: 'Session', path: 'session' }

/** The event with seq and time: validated, and copied so that the caller can no longer change it. */
function place(input: EventInput, seq: number, environment: Environment): SessionEvent {
  requireOfThisVersion(input)
  const { type, ...rest } = input
  const event = { type, seq, at: environment.now(), ...rest }
  requireWritable(event)
  parseEvent(event)
  return JSON.parse(JSON.stringify(event)) as SessionEvent
}

/** An event of another version is kept where it is read. One that is recorded here by such a name has a mistake in it. */
function requireOfThisVersion(input: Partial<StoredEvent> | undefined): void {
  const type = input?.type
  if (typeof type === 'string' && isSessionEvent(input as StoredEvent)) return
  throw invalid(
    `There is no event ${JSON.stringify(type)}: docs/session-format.md lists all. Yours are custom.recorded.`,
  )
}

/** What JSON cannot say would be something else, or nothing, when it is read again: also in fields that no schema names. */
function requireWritable(event: { readonly type: string }): void {
  const found = notJson(event)
  if (found === undefined) return
  const { path, what } = found
  // A longer path leads to what is a part of itself.
  const field = (path.length > 20 ? path.slice(0, 1) : path).join('.')
  throw invalid(`${event.type} is not a valid event: its field ${field} is wrong (${what}, which JSON cannot say).`)
}

function invalid(message: string): LoaderError {
  return new LoaderError('invalid_event', message)
}

function requireEnvironment(options: Partial<SessionOptions> | undefined): void {
  const environment: Partial<Environment> | undefined = options?.environment
  if (typeof environment?.now === 'function' && typeof environment.newId === 'function') return
  throw new LoaderError('invalid_port', 'A session needs { environment: { now, newId } }, such as systemEnvironment().')
}

/** Partial answer text may be lost in a power cut; everything else waits for the disk. */
function levelOf(events: readonly SessionEvent[]): DurabilityLevel {
  return events.every(({ type }) => type === 'answer.progressed') ? 'os' : 'flush'
}

function asUncertain(error: unknown, id: string): LoaderError {
  if (LoaderError.is(error)) return error
  return new LoaderError(
    'storage_uncertain',
    `Writing session ${id} failed, and it is uncertain what was stored. Nothing more is recorded; load the session again.`,
    { cause: error },
  )
}

function asDisplaced(reason: unknown, id: string): LoaderError {
  if (LoaderError.is(reason)) return reason
  const message = `Session ${id} was lost to another writer. Nothing more is recorded; load it again.`
  return new LoaderError('writer_fenced', message, { cause: reason })
}

function requireContinuable({ id, foreign }: SessionState): void {
  if (foreign.critical === null) return
  throw new LoaderError(
    'session_read_only',
    `Session ${id} holds an event of a newer version that must be understood to go on: ${foreign.critical.type} ` +
      `(seq ${foreign.critical.seq}). It can be read, but not continued; update Loader to continue it.`,
  )
}

async function releaseOnFailure<Result>(writer: SessionWriter, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await writer.release()
    throw error
  }
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value)
}
