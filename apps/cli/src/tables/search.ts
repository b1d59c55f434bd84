import { constants } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
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
import { FileSessionStore, textFiles } from '@loader/session-fs'
import { fullText } from '../sessions/chosen-session.ts'
import type { Match } from '@loader/readings'

const mostMatches = 5
const around = 40

/** Searches the sessions of a store for a text; of a folder, where it is named instead. */
export function searchFor(wanted: string, where: SessionStore | string): (row: SessionRow) => Promise<Match[]> {
  return typeof where === 'string' ? searchFolder(wanted, where) : (row) => searchSession(where, row, wanted)
}

function searchFolder(wanted: string, directory: string): (row: SessionRow) => Promise<Match[]> {
  const store = new FileSessionStore({ directory })
  const files = textFiles(directory)
  const mayContain = containing(wanted)
  return async (row) => {
    const paths = files.get(row.id.toLowerCase()) ?? []
    return paths.some((path) => mayContain(bytesAt(path))) ? searchSession(store, row, wanted) : []
  }
}

/** The bytes of a file; undefined if they cannot be read, and then the session itself is searched. */
function bytesAt(path: string): Buffer | undefined {
  try {
    const facts = statSync(path)
    return facts.isFile() && facts.size <= constants.MAX_STRING_LENGTH ? readFileSync(path) : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/**
 * Parsing and folding a history costs far more than looking at its letters, and so does decoding them: each byte is taken
 * for a letter, which is what it is in a text without letters beyond ASCII.
 */
function containing(wanted: string): (bytes: Buffer | undefined) => boolean {
  const needle = wanted.toLowerCase()
  const written = JSON.stringify(needle).slice(1, -1)
  // oxlint-disable-next-line no-control-regex
  if (/[^\x00-\x7f]/.test(needle)) {
    return (bytes) => {
      const lower = bytes?.toString('utf8').toLowerCase()
      return lower === undefined || lower.includes(written) || lower.includes(needle)
    }
  }
  const pattern = new RegExp([...new Set([needle, written])].map(asBytes).join('|'), 'i')
  return (bytes) => bytes === undefined || pattern.test(bytes.toString('latin1'))
}

/**
 * A pattern for a text in ASCII. Two letters beyond that become letters of it when they are made small: the sign of Kelvin and
 * the capital i with a dot.
 */
function asBytes(text: string): string {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return escaped.replaceAll('k', '(?:k|\u00e2\u0084\u00aa)').replaceAll('i', '(?:i|\u00c4\u00b0)')
}

/** Every match of a text in the messages of a session, ignoring case, including messages that left the window. */
async function searchSession(store: SessionStore, row: SessionRow, wanted: string): Promise<Match[]> {
  const history = await readable(store, row.id)
  const needle = wanted.toLowerCase()
  const matches: Match[] = []
  for (const { message, seq, standing } of transcript(history)) {
    const text = await textOfAll({ store, row }, message)
    const place = text.toLowerCase().indexOf(needle)
    if (place < 0) continue
    matches.push({ seq, role: message.role, standing, excerpt: excerptAround(text, place, needle.length) })
    if (matches.length === mostMatches) break
  }
  return matches
}

/** The intact events of a damaged session. */
async function readable(store: SessionStore, id: string): Promise<StoredEvent[]> {
  for (const gaps of ['refuse', 'mark'] as const) {
    const events: StoredEvent[] = []
    try {
      for await (const event of store.read(id, { gaps })) events.push(event)
      return events
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      if (gaps === 'mark') return events
    }
  }
  return []
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
