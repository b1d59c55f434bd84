import {
  type EventInput,
  type EventOf,
  type Message,
  ownerOf,
  parseEvent,
  reduce,
  sessionFormat,
  type SessionEvent,
  type SessionState,
} from '@loader/session-core'
import type { ImportedConversation, SourcePlace } from '../conversation/conversation.ts'
import { isShelved, offShelf } from '../conversation/text-shelf.ts'

/**
 * Removes undefined fields as JSON would, but keeps references to texts: copies would take as much memory as the file.
 */
function withoutAbsent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutAbsent)
  if (isShelved(value)) return value
  const present = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(present.map(([name, field]) => [name, withoutAbsent(field)]))
}

/** An event with its source position as an extra field, so that a second import can find it. */
type Imported = EventInput & { readonly imported?: SourcePlace }

export interface DraftOptions {
  readonly id: string
  readonly newId: (prefix: string) => string
  readonly importedAt: string
  /** The project that the session is imported into. */
  readonly root: string
  /** The number of tokens of messages, for a compaction whose source does not say it. */
  readonly tokensOf: (messages: readonly Message[]) => number
}

/**
 * A session that is being made from another program's, event by event, in memory.
 *
 * Invariant: every event has gone through `reduce`, so the history can be stored and continued like any other.
 */
export class EventDraft {
  readonly events: SessionEvent[] = []
  readonly newId: DraftOptions['newId']
  readonly tokensOf: DraftOptions['tokensOf']
  #state: SessionState
  #now: string

  constructor({ source, cwd, startedAt, legacyTrace }: ImportedConversation, options: DraftOptions) {
    const { id, importedAt, root } = options
    this.newId = options.newId
    // One message at a time, so that only one shelved text is in memory.
    this.tokensOf = (messages) => messages.reduce((sum, message) => sum + options.tokensOf([offShelf(message)]), 0)
    this.#now = startedAt ?? importedAt
    const { kind, id: sourceId } = source
    const metadata = { imported: { kind, ...(sourceId !== undefined && { id: sourceId }) } }
    const project = { root: cwd ?? root }
    const trace = legacyTrace === undefined ? {} : { legacyTrace }
    const opened = { type: 'session.opened' as const, format: sessionFormat, id, project, metadata, ...trace }
    this.#state = reduce(null, this.#place(opened, this.#now))
    this.record({ type: 'session.claimed', epoch: 1, owner: ownerOf('Import') }, importedAt)
  }

  get state(): SessionState {
    return this.#state
  }

  /** Records a fact. Without its own time it gets that of the previous one. */
  record(input: Imported, at: string = this.#now): SessionEvent {
    const event = this.#place(input, at)
    this.#state = reduce(this.#state, event)
    return event
  }

  /** Sets the time for following events that have none. */
  passTo(at: string | undefined): void {
    if (at !== undefined) this.#now = at
  }

  #place(input: Imported, at: string): SessionEvent {
    const { type, ...rest } = input
    const event = withoutAbsent({ type, seq: this.events.length + 1, at, ...rest })
    const parsed = parseEvent(event) as EventOf<typeof type>
    this.events.push(parsed)
    return parsed
  }
}
