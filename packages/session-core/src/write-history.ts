import { checkedClaim } from './ports/checked-claim.ts'
import { parseEvent, type StoredEvent } from './events/event.ts'
import type { SessionStore, SessionWriter } from './ports/store.ts'
import { fold } from './reduce/reduce.ts'
import type { SessionState } from './state/state.ts'
import { LoaderError } from './words/errors.ts'
import { ownerOf } from './words/owner.ts'
import { longestInlineText, utf8Length } from './words/stored-text.ts'

/** A complete session from elsewhere, such as an import or an export, for `writeRecording` to store. */
export interface NewHistory {
  readonly id: string
  readonly events: Iterable<StoredEvent>
  /**
   * Long texts by the names that the events give them; the store may know them by others. They are asked for one by one,
   * before the events.
   */
  readonly blobs?: Iterable<readonly [name: string, text: string]>
}

/** So much of a long history is written at once, in characters of JSON. Until it is durable it is in memory several times. */
const atOnce = 2 * 1024 * 1024
/** A history of so many such parts is not long. */
const mostTogether = 4

/**
 * Puts a whole history into a store as a new session, and returns its state. Long texts come first, then the events,
 * in one write where they are not many: either the session is there, or it is not. A larger one is durable with its last
 * event; of one that fails on the way nothing stays.
 */
export async function writeHistory(store: SessionStore, { id, events, blobs = [] }: NewHistory): Promise<SessionState> {
  const { writer } = await checkedClaim(store, id, { owner: ownerOf('Import'), expect: 'new' })
  let state: SessionState
  try {
    const names = new Map<string, string>()
    for (const [name, text] of blobs) names.set(name, (await writer.blobs.put(text)).blob)
    const isRenamed = [...names].some(([name, stored]) => name !== stored)
    state = await writeInParts(writer, isRenamed ? withNames(events, names) : events)
  } catch (error) {
    await writer.release()
    // A part of a history must not be taken for the whole. Where it cannot be removed either, the first error tells more.
    await Promise.allSettled([store.delete(id, { erase: true })])
    throw error
  }
  await writer.release()
  return state
}

async function writeInParts(writer: SessionWriter, events: Iterable<StoredEvent>): Promise<SessionState> {
  let state: SessionState | null = null
  for (const part of partsOf(events)) {
    // An event that cannot follow must not reach the disk.
    state = fold(part, state)
    await writer.append(part, 'flush')
  }
  if (state === null) throw new LoaderError('invalid_event', `There is no event to make session ${writer.id} of.`)
  await writer.save(state)
  return state
}

type Part = readonly StoredEvent[]

/** All of a history that is not long, and parts of a longer one. */
function* partsOf(events: Iterable<StoredEvent>): Generator<Part> {
  let first: Part[] | undefined = []
  for (const part of smallParts(events)) {
    if (first === undefined) yield part
    else if (first.push(part) > mostTogether) {
      yield* first
      first = undefined
    }
  }
  if (first !== undefined && first.length > 0) yield first.flat()
}

function* smallParts(events: Iterable<StoredEvent>): Generator<Part> {
  let part: StoredEvent[] = []
  let length = 0
  for (const event of events) {
    const more = JSON.stringify(event).length
    if (part.length > 0 && length + more > atOnce) {
      yield part
      part = []
      length = 0
    }
    part.push(event)
    length += more
  }
  if (part.length > 0) yield part
}

function* withNames(events: Iterable<StoredEvent>, names: ReadonlyMap<string, string>): Generator<StoredEvent> {
  for (const event of events) yield parseEvent(renamed(event, names))
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  // What says by itself how it is written is no reference, and stays what it is.
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  if (Array.isArray(value)) return value.map((item) => renamed(item, names))
  const fields = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, names)]))
  const blob = 'blob' in value && typeof value.blob === 'string' ? names.get(value.blob) : undefined
  return blob === undefined || !('excerpt' in value) ? fields : { ...fields, blob }
}

/** Whether a text belongs among the blobs of a session rather than into its events. */
export function isLong(text: string): boolean {
  return text.length * 3 > longestInlineText && utf8Length(text) > longestInlineText
}
