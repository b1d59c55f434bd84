import {
  LoaderError,
  readSession,
  type Recording,
  type SessionRow,
  type SessionState,
  shownText,
  summarize,
  type StoredText,
} from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { type Places, placesOf } from '../places/places.ts'
import { requireSession } from './find-session.ts'

/** The session that a command is about, read without claiming it: somebody may be writing it. */
export interface ChosenSession {
  readonly places: Places
  readonly store: FileSessionStore
  readonly row: SessionRow
  readonly state: SessionState
  readonly recording: Recording
}

export async function chooseSession(given: Given, console: Console, wanted = given.words[0]): Promise<ChosenSession> {
  const places = placesOf(given, console)
  const store = storeOf(places)
  const { id } = await requireSession(store, wanted)
  const { state, recording } = await readSession(store, id)
  // The list is of the last save; what was read here goes further while a turn is open.
  return { places, store, row: summarize(state), state, recording }
}

export function storeOf({ root }: Pick<Places, 'root'>): FileSessionStore {
  return new FileSessionStore({ root })
}

/** Long texts of a session in full. One that is missing is shown as far as it is known. */
export async function fullText(
  { store, row }: Pick<ChosenSession, 'store' | 'row'>,
  text: StoredText,
): Promise<string> {
  if (typeof text === 'string') return text
  try {
    return await store.readBlob(row.id, text.blob)
  } catch (error) {
    if (!LoaderError.is(error, 'blob_missing')) throw error
    return `${shownText(text)}\n[the rest of this text, ${text.bytes} bytes in all, is missing]`
  }
}

/** Every blob that a value names, by its name. */
export function blobsNamedIn(value: unknown): Set<string> {
  const names = new Set<string>()
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if ('blob' in part && 'bytes' in part && 'excerpt' in part && typeof part.blob === 'string') names.add(part.blob)
    for (const inner of Object.values(part)) look(inner)
  }
  look(value)
  return names
}
