import { parseEvent, type StoredEvent } from './events/event.ts'
import { ExportInput, exportVersion } from './exported-session.ts'
import type { SessionStore } from './ports/store.ts'
import { fold } from './reduce/reduce.ts'
import { LoaderError } from './words/errors.ts'
import { parseInEnglish } from './words/parse-in-english.ts'
import type { NewHistory } from './write-history.ts'

/** An export file after its checks: the events, and the long texts that they refer to. */
export interface ParsedExport {
  readonly id: string
  readonly title: string
  readonly secrets: ExportInput['secrets']
  readonly events: readonly StoredEvent[]
  readonly blobs: ReadonlyMap<string, string>
}

/** What `loader export --format json` has written. */
export function parseExport({ text, path }: { readonly text: string; readonly path: string }): ParsedExport {
  const document = parsedJson(text)
  const result = parseInEnglish(ExportInput, document)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new LoaderError(
      'invalid_message',
      `${path} is not an export of a session: ${faultOf(document, issue)}. Was it cut off, or changed? Export it again.`,
    )
  }
  const { version, session, secrets, events, blobs } = result.data
  if (version > exportVersion) {
    throw new LoaderError(
      'format_newer',
      `${path} was exported by a newer Loader, in version ${version} of the form. Update Loader to import it.`,
    )
  }
  return { ...session, secrets, events: soundEvents(events, path), blobs: new Map(Object.entries(blobs)) }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * The events, after checking that each is valid and that their seqs are consecutive. Checked before anything is
 * written, because a later refusal would leave a claim behind.
 */
function soundEvents(values: readonly unknown[], path: string): StoredEvent[] {
  try {
    const events = values.map(parseEvent)
    if (fold(events) === null) throw new LoaderError('invalid_event', 'It has no event.')
    return events
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    throw new LoaderError('invalid_message', `${path} was changed, and nothing of it was imported: ${error.message}`, {
      cause: error,
    })
  }
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

function faultOf(document: unknown, issue: Issue | undefined): string {
  if (document === undefined) return 'it is not JSON'
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`.replace(/^: /, '')
}

/**
 * Restores the same session, event by event, if its id is free; otherwise makes a copy that names its source, like a
 * fork.
 */
export async function historyOfExport(
  { id, events, blobs }: ParsedExport,
  store: SessionStore,
  { newId, at }: { readonly newId: () => string; readonly at: string },
): Promise<NewHistory & { readonly events: readonly StoredEvent[] }> {
  if (!(await isTaken(store, id))) return { id, events, blobs }
  const copy = newId()
  const seq = events.length
  const forked = parseEvent({ type: 'session.forked', seq: seq + 1, at, id: copy, from: { id, seq } })
  return { id: copy, events: [...events, forked], blobs }
}

async function isTaken(store: SessionStore, id: string): Promise<boolean> {
  try {
    for await (const _ of store.read(id)) return true
    return false
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return false
    // The id belongs to a session that cannot be read: it stays taken.
    if (LoaderError.is(error)) return true
    throw error
  }
}
