import {
  type FilePart,
  LoaderError,
  MemoryStore,
  readSession,
  type SessionState,
  type SessionStore,
} from '@loader/session-core'
import { hasSession } from '@loader/session-fs'
import { customTask } from '../custom/custom-task.ts'
import { namesServers } from '../mcp/configured.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import { databaseOf, filesOf } from '../sessions/store-of.ts'
import { loadSettings, type LoadedSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { settingsOfSession } from '../settings/settings-of-session.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { takeUp } from './agent-of-run.ts'
import type { AnswerSchema } from './answer-schema.ts'
import type { Beginning, Begun } from './beginning.ts'
import { configOf } from './config-of-run.ts'
import { mentionedFiles } from './mentioned-files.ts'
import { taskOfPlan } from './mode-of-run.ts'
import { backendFrom, fallbackFor, modelOfSession } from './model-of-run.ts'
import { requireSense, requireWork } from './require-sense.ts'
import { sessionOfRun, type SessionOfRun } from './session-of-run.ts'
import { wallsOf } from './walls-of-run.ts'

/** Creates everything that a run needs, or reports that no model was chosen. */
export async function begin(beginning: Beginning): Promise<Begun | { readonly kind: 'no_model' }> {
  const { given, places, console, onNote } = beginning
  requireSense(beginning)
  const schemaFile = given.value('output-schema')
  const answerSchema = schemaFile === undefined ? undefined : await answerSchemaIn(schemaFile, console.folder)
  const { opened } = beginning
  const isKept = !given.has('ephemeral')
  const address = isKept ? (opened?.address ?? (await storeAddress({ given, console, places }))) : undefined
  const store: SessionStore = isKept ? (opened?.store ?? (await storeFor(address, beginning))) : new MemoryStore()
  const chosen = await chosenSession(store, beginning)
  const before = await stateBefore(store, chosen, beginning)
  if (chosen.id !== undefined && store.keepsFiles === true && opened === undefined)
    await prepared(store, chosen.id, beginning)
  const loaded = loadSettings(places, { ...layersAround(before, beginning, address), environment: console.environment })
  for (const note of ignoredNotes(loaded, opened === undefined)) onNote?.(note)
  const name = beginning.model ?? given.value('model') ?? loaded.settings.model
  if (name === undefined) return { kind: 'no_model' }
  const backend = await backendFrom(name, loaded.settings, beginning).catch((error: unknown) => {
    throw name === before?.policy?.model?.model ? modelOfSession(before.id, name, error) : error
  })
  const fallback = await fallbackFor(name, loaded.settings, beginning)
  const config = configOf(loaded.settings, beginning)
  const custom = customTask(wordsOf(beginning), places)
  for (const note of custom?.notes ?? []) onNote?.(note)
  const lent = { rules: custom?.rules ?? [] }
  const words = taskOf(beginning, custom?.text) || taskOfPlan(before, given)
  if (words === '' && beginning.audience === 'nobody') requireWork(before, chosen, given)
  // Read before the session is claimed, so that a file that cannot be sent has no effect.
  const { text, files: shown } = await withFiles(words, beginning)
  // Not those of standard input: who has written that is not known.
  const quote = mentionedFiles(wordsOf(beginning), places)
  const mcp = await serversFor(loaded, beginning)
  try {
    const { task, files } = mcp === undefined ? { task: text, files: shown } : await mcp.inTask(text, shown, onNote)
    const parts = { backend, fallback, store, config, loaded, address, answerSchema, lent, mcp: mcp?.servers }
    const agent = await takeUp(chosen, { ...parts, secrets: mcp?.secrets ?? [] }, beginning)
    const resumed = chosen.id !== undefined
    const at = address === undefined ? {} : { address }
    const about = { ...at, ...(answerSchema !== undefined && { answerSchema }), ...(mcp && { mcp: mcp.servers }) }
    return {
      kind: 'begun',
      given,
      console,
      places,
      agent,
      backend,
      store,
      ...about,
      loaded,
      task,
      files,
      quote,
      resumed,
      lent,
    }
  } catch (error) {
    await mcp?.servers.close()
    throw error
  }
}

/** The MCP servers of the run. Most runs have none, and what talks to them is large. */
async function serversFor(loaded: LoadedSettings, { given, console, places, onNote }: Beginning) {
  if (!namesServers(loaded, given, places)) return undefined
  const { openServers, inTask } = await import('../mcp/of-run.ts')
  const walls = wallsOf(loaded.settings, given, [])
  const { servers, notes, secrets } = openServers({ console, places, loaded, files: given.values('mcp-config'), walls })
  for (const note of notes) onNote?.(note)
  return servers && { servers, secrets, inTask: inTask.bind(undefined, servers) }
}

/** Few runs need it. */
async function prepared(store: SessionStore, id: string, beginning: Beginning): Promise<void> {
  const { prepareFolder } = await import('./prepare-folder.ts')
  await prepareFolder(store, id, beginning)
}

/** Few runs have one, and what reads it is large. */
async function answerSchemaIn(file: string, folder: string): Promise<AnswerSchema> {
  const { answerSchemaFrom } = await import('./answer-schema.ts')
  return answerSchemaFrom(file, folder)
}

function storeFor(address: StoreAddress | undefined, beginning: Beginning): Promise<SessionStore> | SessionStore {
  const { places } = beginning
  return address === undefined ? filesOf(places, sessionsSetting(beginning)) : databaseOf(address, places)
}

/** Read before the session is known, because the store needs it. */
function sessionsSetting({ given, places }: Beginning): Settings['sessions'] {
  return loadSettings(places, { flags: given.values('config') }).settings.sessions
}

/** The words of the command line. */
function wordsOf({ given }: Beginning): string {
  return given.words.filter((word) => word !== '-' && word !== '').join(' ')
}

/** The task from the command line, or of the command that it names, and from standard input. */
function taskOf(beginning: Beginning, ofCommand: string | undefined): string {
  return [ofCommand ?? wordsOf(beginning), beginning.piped.trim()].filter((part) => part !== '').join('\n\n')
}

/** The task with the files of --image, which only few runs have. */
async function withFiles(
  text: string,
  { given, console, onNote }: Beginning,
): Promise<{ readonly text: string; readonly files: readonly FilePart[] }> {
  if (!given.has('image')) return { text, files: [] }
  const { givenFiles } = await import('./given-files.ts')
  const parts = await givenFiles(text, given.values('image'), console.folder)
  for (const note of parts.notes) onNote?.(note)
  return parts
}

async function chosenSession(store: SessionStore, beginning: Beginning): Promise<SessionOfRun> {
  const { given, sessionId, askWhich } = beginning
  if (sessionId !== undefined) return sessionId === null ? {} : { id: sessionId }
  return sessionOfRun(store, given, askWhich)
}

/** The state of the session to continue, read before it is claimed. */
async function stateBefore(
  store: SessionStore,
  { id, isDamaged }: SessionOfRun,
  { onSession }: Beginning,
): Promise<SessionState | undefined> {
  if (id === undefined) return undefined
  onSession?.(id)
  if (isDamaged) throw damaged(id)
  return (await readSession(store, id, { gaps: 'mark' })).state
}

/** The command line goes before what a session was worked on with, and that before any settings. */
function layersAround(
  before: SessionState | undefined,
  { given, places, thinking: wanted, opened }: Beginning,
  address: StoreAddress | undefined,
) {
  const thinking = wanted ?? given.value('thinking')
  const flags = [...given.values('config'), ...(thinking === undefined ? [] : [`thinking=${thinking}`])]
  if (before === undefined || before.policy === null) return { flags }
  // A session in the project may come from a stranger, like the project itself; a session that a worker takes, from any user.
  const isOwn =
    opened === undefined && (address !== undefined || hasSession(places.project().folders.sessions, before.id))
  return { flags, session: { id: before.id, settings: settingsOfSession(before.policy), isOwn } }
}

/** Notes on settings of an untrusted project that are ignored. That a worker ignores those of sessions goes without saying. */
function ignoredNotes({ origins }: LoadedSettings, ofSessions: boolean): string[] {
  const ignored = origins.filter(
    (origin) => origin.ignored !== undefined && (ofSessions || !origin.source.startsWith('session ')),
  )
  return [...new Set(ignored.map(({ source }) => source))].map((file) => {
    const [first, ...others] = ignored.filter(({ source }) => source === file)
    const names = [first, ...others].map((origin) => origin?.name).join(', ')
    return `${names} of ${file} ${others.length === 0 ? 'is' : 'are'} ignored: ${first?.ignored}`
  })
}

function damaged(id: string): LoaderError {
  return new LoaderError(
    'session_damaged',
    `Session ${id} is damaged. What is intact can be read (loader show), what is damaged is said by loader verify, and loader doctor --repair makes a copy that goes on.`,
  )
}
