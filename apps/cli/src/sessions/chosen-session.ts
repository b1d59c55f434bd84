import { gapText, type Texts } from '@loader/readings'
import {
  gapsOf,
  LoaderError,
  readSession,
  type History,
  type SessionRow,
  type SessionState,
  type SessionStore,
  shownText,
  summarize,
  StoredText,
} from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { printNotes } from '../screen/notes.ts'
import { requireSession } from './find-session.ts'
import { type Places, placesOfSession } from '../places/places.ts'
import { storeOf } from './store-of.ts'

/** The session that a command is about. It is read without a claim, because another process may be writing it. */
export interface ChosenSession {
  readonly places: Places
  readonly store: SessionStore
  readonly row: SessionRow
  readonly state: SessionState
  readonly history: History
}

export async function chooseSession(given: Given, console: Console, wanted = given.words[0]): Promise<ChosenSession> {
  const places = placesOfSession(given, console, wanted)
  const store = await storeOf({ given, console, places })
  const { id } = await requireSession(store, wanted)
  const { state, history } = await readSession(store, id, { gaps: 'mark' })
  printNotes(console, gapNotes(history, id))
  // The row is computed, because the stored list is from the last save, before the latest events of an open turn.
  return { places, store, row: summarize(state), state, history }
}

/** Notes about gaps. Every reading reports them; the conversation also shows them in place. */
function gapNotes(history: History, id: string): string[] {
  const gaps = gapsOf(history)
  if (gaps.length === 0) return []
  const shown = gaps.slice(0, mostGaps).map(gapText)
  const rest = gaps.length > mostGaps ? [`There are ${gaps.length - mostGaps} more gaps.`] : []
  return [...shown, ...rest, `What is damaged, file by file: loader verify ${id}`]
}

const mostGaps = 5

/** The long texts of a session in full. A missing one is shown by its excerpt. */
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

/** The long texts that a value refers to, by blob name. */
export async function fullTexts(
  chosen: Pick<ChosenSession, 'store' | 'row'>,
  value: unknown,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const text of storedTextsIn(value)) {
    if (!texts.has(text.blob)) texts.set(text.blob, await fullText(chosen, text))
  }
  return texts
}

/**
 * The long texts that a reading of the history shows, by blob name. It is made once to see which it asks for: prompts, and
 * the data of images, are long, and few readings show them.
 */
export async function shownTexts(
  chosen: Pick<ChosenSession, 'store' | 'row' | 'history'>,
  reading: (texts: Texts) => unknown,
): Promise<Texts> {
  const asked = new AskedTexts()
  reading(asked)
  const wanted = storedTextsIn(chosen.history).filter(({ blob }) => asked.names.has(blob))
  return fullTexts(chosen, wanted)
}

/** Has none, and knows which were asked for. */
class AskedTexts extends Map<string, string> {
  readonly names = new Set<string>()

  override get(name: string): undefined {
    this.names.add(name)
  }
}

/** The names of all blobs that a value refers to. */
export function blobsNamedIn(value: unknown): Set<string> {
  return new Set(storedTextsIn(value).map(({ blob }) => blob))
}

function storedTextsIn(value: unknown): Exclude<StoredText, string>[] {
  const texts: Exclude<StoredText, string>[] = []
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if ('blob' in part) {
      const text = StoredText.safeParse(part)
      if (text.success && typeof text.data !== 'string') texts.push(text.data)
    }
    for (const inner of Object.values(part)) look(inner)
  }
  look(value)
  return texts
}
