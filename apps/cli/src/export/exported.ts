import { excerptOf, isSessionEvent, LoaderError, parseEvent, type StoredEvent, utf8Length } from '@loader/session-core'
import type { Redactor } from '../redact/redactor.ts'
import { blobsOfFiles, withFileData } from './file-data.ts'
import { withoutPacks } from './without-packs.ts'
import { blobsNamedIn, type ChosenSession } from '../sessions/chosen-session.ts'

/** The content of an export in any format: every event, and the long texts that they refer to. */
export interface Exported {
  readonly events: readonly StoredEvent[]
  readonly blobs: ReadonlyMap<string, string>
  /** Long texts that events refer to and that were not found. */
  readonly missing: readonly string[]
  /** How many files it holds. They are as they were, whatever they show. */
  readonly files: number
}

/** Everything as stored or, with a redactor, with secrets replaced. */
export async function exportedOf(chosen: ChosenSession, redactor: Redactor | undefined): Promise<Exported> {
  const { store, row } = chosen
  const history = redactor === undefined ? chosen.history : chosen.history.map(withoutPacks)
  const blobs = new Map<string, string>()
  const missing: string[] = []
  for (const name of blobsNamedIn(history)) {
    try {
      blobs.set(name, await store.readBlob(row.id, name))
    } catch (error) {
      if (!LoaderError.is(error, 'blob_missing')) throw error
      missing.push(name)
    }
  }
  const ofFiles = blobsOfFiles(history, blobs)
  if (redactor === undefined) return { events: history, blobs, missing, files: ofFiles.size }
  const redacted = new Map([...blobs].map(([name, text]) => [name, ofFiles.has(name) ? text : redactor.text(text)]))
  const changed = new Map([...redacted].filter(([name, text]) => blobs.get(name) !== text))
  const events = withWholeProgress(history, redactor).map((event) =>
    parseEvent(withExcerpts(withFileData(redactor.value(event), event), changed)),
  )
  return { events, blobs: redacted, missing, files: ofFiles.size }
}

/**
 * A secret may arrive split over two deltas, neither of which matches. In this case the first delta of the answer gets
 * all of its text, and the others become empty.
 */
function withWholeProgress(history: readonly StoredEvent[], redactor: Redactor): readonly StoredEvent[] {
  return withWholeField(withWholeField(history, 'text', redactor), 'reasoning', redactor)
}

function withWholeField(
  history: readonly StoredEvent[],
  field: 'text' | 'reasoning',
  redactor: Redactor,
): readonly StoredEvent[] {
  const pieces = new Map<string, string[]>()
  for (const event of history) {
    if (isSessionEvent(event) && event.type === 'answer.progressed') {
      pieces.set(event.requestId, [...(pieces.get(event.requestId) ?? []), event[field] ?? ''])
    }
  }
  const torn = new Map(
    [...pieces].flatMap(([id, texts]) => {
      const whole = redactor.text(texts.join(''))
      return whole === texts.map((text) => redactor.text(text)).join('') ? [] : [[id, whole] as const]
    }),
  )
  return history.map((event) => {
    if (!isSessionEvent(event) || event.type !== 'answer.progressed') return event
    const whole = torn.get(event.requestId)
    if (whole === undefined) return event
    torn.set(event.requestId, '')
    return { ...event, [field]: whole }
  })
}

/** Excerpts are made again from the redacted text, because the old ones may end in the middle of a secret. */
export function withExcerpts(value: unknown, changed: ReadonlyMap<string, string>): unknown {
  if (changed.size === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withExcerpts(item, changed))
  const text = 'blob' in value && typeof value.blob === 'string' ? changed.get(value.blob) : undefined
  if (text !== undefined) return { ...value, bytes: utf8Length(text), excerpt: excerptOf(text) }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withExcerpts(item, changed)]))
}
