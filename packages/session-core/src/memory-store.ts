import { LoaderError } from './words/errors.ts'
import { isSessionEvent, parseEvent, type StoredEvent } from './events/event.ts'
import { follow } from './follow.ts'
import { assertSessionId } from './words/ids.ts'
import { type Owner, ownerInWords } from './words/owner.ts'
import type {
  BlobStore,
  Claim,
  ClaimOptions,
  ListQuery,
  SaveOptions,
  SessionPage,
  SessionStore,
  SessionWriter,
} from './ports/store.ts'
import type {
  Fork,
  ForkOptions,
  Inbox,
  StoreCapabilities,
  WatchItem,
  WatchOptions,
  WholeHistory,
} from './ports/store-capabilities.ts'
import { fold } from './reduce/reduce.ts'
import { stateOfHistory } from './reduce/state-of-history.ts'
import type { SessionRow } from './state/session-row.ts'
import { parseState } from './state/parse-state.ts'
import type { SessionState } from './state/state.ts'
import { InboxMessage, parseInboxMessage } from './words/inbox-message.ts'
import { utf8Length } from './words/stored-text.ts'
import { newestFirst, pageOf } from './views/page-of.ts'
import { damagedRow, summarize } from './views/summarize.ts'

/** One session, kept as JSON text as a file would be, so that no object is shared with readers or writers. */
interface Kept {
  readonly id: string
  readonly events: string[]
  readonly blobs: Map<string, string>
  /** Messages for the holder, as JSON, by their ids. */
  readonly inbox: Map<string, string>
  /** Called at every change. */
  readonly watchers: Set<() => void>
  snapshot: string | null
  row: SessionRow | null
  epoch: number
  holder: Owner | null
}

/** Sessions in memory: the reference implementation of a store, and enough for tests and short-lived agents. */
export class MemoryStore
  implements SessionStore, Pick<StoreCapabilities, 'fork' | 'watch' | 'holder' | 'inbox' | 'restore'>
{
  /** By id in lower case: ids that differ only in case are the same session. */
  readonly #sessions = new Map<string, Kept>()

  async claim(id: string, { owner, expect, takeover = false }: ClaimOptions): Promise<Claim> {
    assertSessionId(id)
    const kept = expect === 'new' ? this.#create(id, takeover) : this.#find(id)
    if (kept.holder !== null && !takeover) throw busy(kept)
    const state = savedState(kept)
    const events = kept.events.slice(state?.seq ?? 0).map((line) => parseEvent(JSON.parse(line)))
    kept.epoch = Math.max(kept.epoch, epochOf(state, events)) + 1
    kept.holder = owner
    return { writer: new MemoryWriter(kept, () => this.#forget(kept)), state, events, report: { findings: [] } }
  }

  async *read(id: string, { fromSeq = 1 }: { readonly fromSeq?: number } = {}): AsyncGenerator<StoredEvent> {
    assertSessionId(id)
    const { events } = this.#find(id)
    for (let index = Math.max(fromSeq, 1) - 1; index < events.length; index += 1) {
      yield parseEvent(JSON.parse(events[index] as string))
    }
  }

  async readBlob(id: string, blob: string): Promise<string> {
    assertSessionId(id)
    return blobsOf(this.#find(id)).get(blob)
  }

  async list(query: ListQuery = {}): Promise<SessionPage> {
    const rows = [...this.#sessions.values()].flatMap((kept) => rowOf(kept) ?? [])
    return pageOf(newestFirst(rows), query)
  }

  async delete(id: string): Promise<void> {
    assertSessionId(id)
    const kept = this.#find(id)
    if (kept.holder !== null) throw busy(kept)
    this.#sessions.delete(id.toLowerCase())
    tellWatchers(kept)
  }

  async fork(id: string, atSeq: number | undefined, { environment, id: newId }: ForkOptions): Promise<Fork> {
    assertSessionId(id)
    const forkId = newId ?? environment.newId('ses')
    assertSessionId(forkId)
    const source = this.#find(id)
    const seq = atSeq ?? source.events.length
    if (!Number.isSafeInteger(seq) || source.events[seq - 1] === undefined) {
      const last = source.events.length
      const message = `Session ${source.id} has no event ${seq} to be forked at: its events are 1 to ${last}.`
      throw new LoaderError('impossible_event', message)
    }
    const from = { id: source.id, seq }
    const forked = { type: 'session.forked', seq: seq + 1, at: environment.now(), id: forkId, from }
    const copy = this.#create(forkId, false)
    copy.events.push(...source.events.slice(0, seq), JSON.stringify(forked))
    for (const [blob, text] of source.blobs) copy.blobs.set(blob, text)
    copy.epoch = source.epoch
    return { id: forkId, from }
  }

  async restore({ id, events, texts }: WholeHistory): Promise<void> {
    assertSessionId(id)
    const state = stateOfHistory(id, events)
    const made = this.#create(id, false)
    for (const event of events) made.events.push(JSON.stringify(event))
    for (const [blob, text] of texts) made.blobs.set(blob, text)
    made.snapshot = JSON.stringify(state)
    made.row = summarize(state)
    made.epoch = state.epoch
  }

  inbox(id: string): Inbox {
    assertSessionId(id)
    return {
      put: async (message) => {
        const { inbox } = this.#find(id)
        const parsed = parseInboxMessage(message)
        if (!inbox.has(parsed.id)) inbox.set(parsed.id, JSON.stringify(parsed))
      },
      messages: async () => [...this.#find(id).inbox.values()].map((text) => InboxMessage.parse(JSON.parse(text))),
      remove: async (messageId, epoch) => {
        const kept = this.#find(id)
        if (epoch === undefined || kept.epoch <= epoch) kept.inbox.delete(messageId)
      },
    }
  }

  watch(id: string, fromSeq = 1, { signal }: WatchOptions = {}): AsyncIterableIterator<WatchItem> {
    assertSessionId(id)
    const first = Math.max(fromSeq, 1)
    let next = first
    let announced: number | undefined
    const kept = this.#sessions.get(id.toLowerCase())
    const take = (): WatchItem | undefined => {
      // A session that was deleted and created again under the same id is a different session.
      if (this.#find(id) !== kept) throw notFound(id)
      const line = kept.events[next - 1]
      if (line === undefined) return undefined
      const event = parseEvent(JSON.parse(line))
      const epoch = isSessionEvent(event) && event.type === 'session.claimed' ? event.epoch : undefined
      if (epoch !== undefined && epoch !== 1 && epoch !== announced) {
        announced = epoch
        return { kind: 'writer_changed', epoch }
      }
      next += 1
      return { kind: 'event', event }
    }
    const onChange = (tell: () => void) => {
      kept?.watchers.add(tell)
      return () => void kept?.watchers.delete(tell)
    }
    return follow({ take, onChange }, signal)
  }

  async holder(id: string): Promise<Owner | null> {
    assertSessionId(id)
    return this.#find(id).holder
  }

  #create(id: string, takeover: boolean): Kept {
    const key = id.toLowerCase()
    const taken = this.#sessions.get(key)
    if (taken?.events.length === 0 && takeover) return taken
    if (taken)
      throw new LoaderError('session_exists', `Session ${taken.id} is already there. Load it, or choose another id.`)
    const kept: Kept = {
      id,
      events: [],
      blobs: new Map(),
      inbox: new Map(),
      watchers: new Set(),
      snapshot: null,
      row: null,
      epoch: 0,
      holder: null,
    }
    this.#sessions.set(key, kept)
    return kept
  }

  /** Removes a session that never got an event. */
  #forget(kept: Kept): void {
    if (kept.events.length === 0) this.#sessions.delete(kept.id.toLowerCase())
  }

  #find(id: string): Kept {
    const kept = this.#sessions.get(id.toLowerCase())
    if (kept !== undefined && kept.events.length > 0) return kept
    throw notFound(id)
  }
}

class MemoryWriter implements SessionWriter {
  readonly id: string
  readonly epoch: number
  readonly blobs: BlobStore
  readonly #kept: Kept
  readonly #onRelease: () => void
  #released = false

  constructor(kept: Kept, onRelease: () => void) {
    this.id = kept.id
    this.epoch = kept.epoch
    this.blobs = {
      put: async (text) => {
        this.#requireOwnership()
        return blobsOf(kept).put(text)
      },
      get: (blob) => blobsOf(kept).get(blob),
    }
    this.#kept = kept
    this.#onRelease = onRelease
  }

  async append(events: readonly StoredEvent[]): Promise<void> {
    this.#requireOwnership()
    const next = this.#kept.events.length + 1
    const wrong = events.findIndex((event, index) => event.seq !== next + index)
    if (wrong >= 0) {
      const message = `Event ${events[wrong]?.seq} cannot be stored in session ${this.id}: ${next + wrong} comes next.`
      throw new LoaderError('impossible_event', message)
    }
    for (const event of events) this.#kept.events.push(JSON.stringify(event))
    tellWatchers(this.#kept)
  }

  async save(state: SessionState, { index = true, snapshot = true }: SaveOptions = {}): Promise<void> {
    this.#requireOwnership()
    if (snapshot) this.#kept.snapshot = JSON.stringify(state)
    if (index) this.#kept.row = summarize(state)
  }

  async release(): Promise<void> {
    if (!this.#released && this.#kept.epoch === this.epoch) {
      this.#kept.holder = null
      this.#onRelease()
    }
    this.#released = true
  }

  #requireOwnership(): void {
    if (this.#released) {
      throw new LoaderError(
        'session_closed',
        `This writer of session ${this.id} was released. Claim the session again.`,
      )
    }
    if (this.#kept.epoch === this.epoch) return
    throw new LoaderError(
      'writer_fenced',
      `Session ${this.id} was taken over by ${describe(this.#kept.holder)}. Nothing was written; load it to see what it is now.`,
    )
  }
}

function tellWatchers({ watchers }: Kept): void {
  for (const tell of watchers) tell()
}

function notFound(id: string): LoaderError {
  return new LoaderError(
    'session_not_found',
    `There is no session ${id} in this store. List the sessions to see which there are.`,
  )
}

function blobsOf(kept: Kept): BlobStore {
  return {
    async put(text) {
      const known = [...kept.blobs].find(([, other]) => other === text)?.[0]
      const blob = known ?? `blob${kept.blobs.size + 1}`
      kept.blobs.set(blob, text)
      return { blob, bytes: utf8Length(text) }
    },
    async get(blob) {
      const text = kept.blobs.get(blob)
      if (text !== undefined) return text
      throw new LoaderError(
        'blob_missing',
        `Session ${kept.id} has no text ${blob}. What names it cannot be shown in full.`,
      )
    },
  }
}

/** The saved state, unless it has another version or does not fit the events: then the state is folded from them. */
function savedState({ snapshot, events }: Kept): SessionState | null {
  if (snapshot === null) return null
  try {
    const state = parseState(JSON.parse(snapshot))
    return state.seq <= events.length ? state : null
  } catch (error) {
    if (LoaderError.is(error, 'invalid_state')) return null
    throw error
  }
}

/** A session is listed from its first durable event on, saved or not, even when it cannot be read. */
function rowOf(kept: Kept): SessionRow | undefined {
  if (kept.row) return kept.row
  try {
    const state = fold(kept.events.map((line) => parseEvent(JSON.parse(line))))
    return state ? summarize(state) : undefined
  } catch (error) {
    if (LoaderError.is(error)) return damagedRow(kept.id)
    throw error
  }
}

function busy({ id, holder }: Kept): LoaderError {
  return new LoaderError(
    'session_busy',
    `Session ${id} is held by ${describe(holder)}. Close it there, or go on in a copy of it (fork).`,
  )
}

function describe(owner: Owner | null): string {
  return owner === null ? 'another writer' : ownerInWords(owner)
}

/** Of the last claim that is recorded: a history that was made elsewhere brings its own. */
function epochOf(state: SessionState | null, events: readonly StoredEvent[]): number {
  const claims = events.flatMap((event) =>
    isSessionEvent(event) && event.type === 'session.claimed' ? event.epoch : [],
  )
  return claims.at(-1) ?? state?.epoch ?? 0
}
