import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { messagesTokens } from '@loader/compaction'
import {
  LoaderError,
  parseExport,
  historyOfExport,
  Session,
  type SessionState,
  type SessionStore,
  type StoredEvent,
  summarize,
  writeHistory,
} from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import {
  detectSource,
  parseSource,
  readSource,
  recordConversation,
  type SourceFile,
  type SourceKind,
  sourceKinds,
  TextShelf,
  wholeText,
} from '@loader/foreign-sessions'
import { counted, inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { allRows } from '../sessions/find-session.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import { databaseOf, filesOf } from '../sessions/store-of.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { type Places, placesOf } from '../places/places.ts'
import type { ImportOutput } from '../schemas/import.ts'
import { commandOwner } from '../sessions/owner.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { titleGiven } from '../sessions/title-given.ts'

/** Creates a session from one of another program, or from an export. The source is not changed. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const [path = ''] = given.words
  const file = readSource(resolve(places.folder, path))
  useLittleMemoryFor(file.bytes)
  const kind = kindOf(given, file)
  const title = titleGiven(given)
  const store = await storeFor(given, console, places)
  const output =
    kind === 'loader'
      ? await importExport(file, store, title)
      : await importForeign(kind, file, { places, store, title })
  printNotes(console, notesOf(output))
  if (given.has('json')) printJson(console, output)
  else printLines(console, importedLines(output))
  return 'ok'
}

async function storeFor(given: Given, console: Console, places: Places): Promise<SessionStore> {
  const address = await storeAddress({ given, console, places })
  if (address !== undefined) return databaseOf(address, places)
  return filesOf(places, loadSettings(places).settings.sessions)
}

function kindOf(given: Given, file: SourceFile): SourceKind {
  const { path } = file
  const wanted = given.value('from')
  const kind =
    wanted === undefined || wanted === 'auto' ? detectSource(file) : sourceKinds.find((each) => each === wanted)
  if (kind !== undefined) return kind
  const kinds = sourceKinds.join(', ')
  throw new LoaderError(
    'invalid_message',
    `${path} is nothing that can be imported. It can be told with --from: ${kinds}.`,
  )
}

async function importForeign(
  kind: Exclude<SourceKind, 'loader'>,
  file: SourceFile,
  {
    places,
    store,
    title,
  }: { readonly places: Places; readonly store: SessionStore; readonly title: string | undefined },
): Promise<ImportOutput> {
  const { id, events, blobs, losses, source, records } = recorded(kind, file, { root: places.root, title })
  const before = await importedBefore(store, source)
  const state = await writeHistory(store, { id, events, blobs })
  return {
    ...resultOf(state, events, losses),
    source: { kind: source.kind, id: source.id ?? null, path: file.path },
    records,
    before,
  }
}

/** Drops the conversation after building the history, so that only one of them is in memory. */
function recorded(
  kind: Exclude<SourceKind, 'loader'>,
  file: SourceFile,
  { root, title }: { readonly root: string; readonly title: string | undefined },
) {
  const environment = systemEnvironment()
  const newId = (prefix: string) => environment.newId(prefix)
  const shelf = new TextShelf()
  const conversation = parseSource(kind, file, shelf)
  const { source, records } = conversation
  const id = newId('ses')
  const { events, losses } = recordConversation(conversation, {
    id,
    newId,
    importedAt: environment.now(),
    root,
    origin: { path: file.path, bytes: file.bytes, digest: digestOf(file) },
    tokensOf: messagesTokens,
    ...(title !== undefined && { title }),
  })
  return { id, events, blobs: shelf.blobs(), losses, source, records }
}

async function importExport(file: SourceFile, store: SessionStore, title: string | undefined): Promise<ImportOutput> {
  const environment = systemEnvironment()
  const parsed = parseExport({ path: file.path, text: wholeText(file) })
  const history = await historyOfExport(parsed, store, {
    newId: () => environment.newId('ses'),
    at: environment.now(),
  })
  const state = await writeHistory(store, history)
  if (title !== undefined) {
    await using session = await Session.load(store, history.id, { environment, owner: commandOwner })
    await session.append({ type: 'session.titled', title, by: 'user' })
  }
  const losses =
    parsed.secrets === 'replaced' ? ['The export has marks in place of secrets, and so has the session.'] : []
  const copied = history.id === parsed.id ? [] : [`Session ${parsed.id} is here already, so this is a copy of it.`]
  return {
    ...resultOf(state, history.events, [...losses, ...copied]),
    ...(title !== undefined && { title }),
    source: { kind: 'loader', id: parsed.id, path: file.path },
    records: null,
    before: [],
  }
}

function resultOf(state: SessionState, events: readonly StoredEvent[], losses: readonly string[]) {
  const { id, title, messages } = summarize(state)
  const turns = events.filter(({ type }) => type === 'turn.finished').length
  return { id, title, events: events.length, turns, messages, losses }
}

/** Sessions imported earlier from the same conversation, since the file may have grown. */
async function importedBefore(
  store: SessionStore,
  { kind, id }: { readonly kind: string; readonly id?: string },
): Promise<string[]> {
  if (id === undefined) return []
  const imported = JSON.stringify({ kind, id })
  const rows = await allRows(store)
  return rows.filter(({ metadata }) => JSON.stringify(metadata['imported']) === imported).map((row) => row.id)
}

function digestOf(file: SourceFile): string {
  const hash = createHash('sha256')
  for (const chunk of file.chunks()) hash.update(chunk)
  return `sha256:${hash.digest('hex')}`
}

function notesOf({ losses, before }: ImportOutput): string[] {
  return [
    ...losses.map(inOneLine),
    ...(before.length === 0 ? [] : [`The same conversation was imported before, as ${before.join(', ')}.`]),
  ]
}

function importedLines({ id, title, source, turns, messages }: ImportOutput): string[] {
  return [
    `Imported "${inOneLine(title)}" from ${source.kind} as ${id}: ${counted(turns, 'turn')}, ${counted(messages, 'message')}.`,
    `Look at it with: loader show ${id}`,
    `Go on with:      loader -r ${id} "<what to do>"`,
  ]
}

/** Below this size there is no memory to save. */
const large = 4 * 1024 * 1024

/**
 * Makes V8 collect garbage early before a large file is read. By default it lets 100 MB of garbage pile up beside 30 MB
 * of live data, because that is faster. The flag has no other effect.
 */
function useLittleMemoryFor(bytes: number): void {
  if (bytes >= large) setFlagsFromString('--optimize-for-size')
}
