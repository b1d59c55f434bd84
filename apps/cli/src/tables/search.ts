import {
  LoaderError,
  type Message,
  type Part,
  type SessionRow,
  type SessionStore,
  type StoredEvent,
  type StoredText,
  transcript,
} from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { blobsNamedIn, fullText } from '../sessions/chosen-session.ts'
import type { Match } from '@loader/readings'

const mostMatches = 5
const around = 40

/** Searches the sessions of a folder for a text. */
export function searchFor(wanted: string, directory: string): (row: SessionRow) => Promise<Match[]> {
  const store = new FileSessionStore({ directory })
  return (row) => searchSession(store, row, wanted)
}

/** Where a text occurs among all messages of a session, in any case, also among those that have left the window. */
async function searchSession(store: SessionStore, row: SessionRow, wanted: string): Promise<Match[]> {
  const recording = await readable(store, row.id)
  const needle = wanted.toLowerCase()
  if (!mayContain(recording, needle)) return []
  const matches: Match[] = []
  for (const { message, seq, standing } of transcript(recording)) {
    const text = await textOfAll({ store, row }, message)
    const place = text.toLowerCase().indexOf(needle)
    if (place < 0) continue
    matches.push({ seq, role: message.role, standing, excerpt: excerptAround(text, place, needle.length) })
    if (matches.length === mostMatches) break
  }
  return matches
}

/** Of a damaged session, what is intact. */
async function readable(store: SessionStore, id: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  try {
    for await (const event of store.read(id, { gaps: 'mark' })) events.push(event)
  } catch (error) {
    if (!LoaderError.is(error)) throw error
  }
  return events
}

/** Folding a recording costs more than looking at its letters; long texts lie elsewhere. */
function mayContain(recording: readonly StoredEvent[], needle: string): boolean {
  const written = JSON.stringify(needle).slice(1, -1)
  return recording.some(
    (event) => JSON.stringify(event).toLowerCase().includes(written) || blobsNamedIn(event).size > 0,
  )
}

async function textOfAll(from: Parameters<typeof fullText>[0], { content }: Message): Promise<string> {
  const texts = await Promise.all(content.flatMap(textsIn).map((text) => fullText(from, text)))
  return texts.join('\n')
}

function textsIn(part: Part): StoredText[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'result':
      return [part.text]
    case 'call':
      return [part.call.name, part.call.malformed ?? JSON.stringify(part.call.input)]
    case 'file':
      return part.name === undefined ? [] : [part.name]
    default:
      return part satisfies never
  }
}

function excerptAround(text: string, place: number, length: number): string {
  const from = Math.max(0, place - around)
  const to = place + length + around
  const excerpt = text.slice(from, to).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${excerpt}${to < text.length ? '…' : ''}`
}
