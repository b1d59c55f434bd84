import { parseEvent, type StoredEvent } from './events/event.ts'
import type { SessionStore } from './ports/store.ts'
import { fold } from './reduce/reduce.ts'
import { LoaderError } from './words/errors.ts'
import { ownerOf } from './words/owner.ts'
import { longestInlineText, utf8Length } from './words/stored-text.ts'

export interface NewRecording {
  readonly id: string
  readonly events: readonly StoredEvent[]
  /** Long texts by the names that the events give them; the store may know them by others. */
  readonly blobs?: ReadonlyMap<string, string>
}

/**
 * Puts a whole recording into a store as a new session. Long texts come first, then all events in one write: either the
 * session is there, or it is not.
 */
export async function writeRecording(
  store: SessionStore,
  { id, events, blobs = new Map() }: NewRecording,
): Promise<void> {
  const { writer } = await store.claim(id, { owner: ownerOf('Import'), expect: 'new' })
  try {
    const names = new Map<string, string>()
    for (const [name, text] of blobs) names.set(name, (await writer.blobs.put(text)).blob)
    const stored = events.map((event) => withNames(event, names))
    // An event that cannot follow must not reach the disk.
    const state = fold(stored)
    if (state === null) throw new LoaderError('invalid_event', `There is no event to make session ${id} of.`)
    await writer.append(stored, 'flush')
    await writer.save(state)
  } finally {
    await writer.release()
  }
}

function withNames(event: StoredEvent, names: ReadonlyMap<string, string>): StoredEvent {
  return [...names].every(([name, stored]) => name === stored) ? event : parseEvent(renamed(event, names))
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => renamed(item, names))
  const fields = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, names)]))
  const blob = 'blob' in value && typeof value.blob === 'string' ? names.get(value.blob) : undefined
  return blob === undefined || !('excerpt' in value) ? fields : { ...fields, blob }
}

/** Whether a text belongs among the blobs of a session rather than into its events. */
export function isLong(text: string): boolean {
  return text.length * 3 > longestInlineText && utf8Length(text) > longestInlineText
}
