import { join } from 'node:path'
import { RuntimeHandle } from '@loader/agent'
import { localEnvironment, localOptions } from '@loader/agent/local'
import {
  type Backend,
  LoaderError,
  MemoryStore,
  readSession,
  type SessionRow,
  type SessionState,
  type SessionStore,
  withCapability,
} from '@loader/session-core'
import * as z from 'zod'
import { hasSession } from '@loader/session-fs'
import { stateFolder } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import type { Console } from '../console/console.ts'
import { flagRules } from '../permissions/flag-rules.ts'
import { rulesIn, userRulesFile } from '../permissions/rules-files.ts'
import { cacheFolder } from '../places/cache-folder.ts'
import type { Places } from '../places/places.ts'
import { titleGiven } from '../sessions/title-given.ts'
import { loadSettings, type LoadedSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { settingsOfSession } from '../settings/settings-of-session.ts'
import { wallsOptions } from '../settings/walls-settings.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { databaseOf, filesOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'
import { credentialFile, credentialsOf } from './credentials.ts'
import { sessionOfRun, type SessionOfRun } from './session-of-run.ts'
import { requireSense, requireWork } from './require-sense.ts'
import { retitle } from './retitle.ts'
import { PermissionMode, type Policy } from '@loader/session-core/coding'

export interface Beginning {
  readonly given: Given
  readonly console: Console
  readonly places: Places
  /** The text from standard input. */
  readonly piped: string
  readonly audience: Policy['audience']
  /** Overrides the given model. */
  readonly model?: string
  /** Overrides the given session: the session to continue, or null for a new one. */
  readonly sessionId?: string | null
  /** Called with the session's id as soon as it is known, before the session is claimed. */
  readonly onSession?: (id: string) => void
  /** Called with a note that does not end the run. */
  readonly onNote?: (note: string) => void
  /** Asks which of these sessions is meant; without it, an unknown name of a session ends the run. */
  readonly askWhich?: (question: string, rows: readonly SessionRow[]) => Promise<SessionRow | undefined>
}

export interface Begun {
  readonly kind: 'begun'
  readonly given: Given
  readonly console: Console
  readonly places: Places
  readonly agent: RuntimeHandle
  readonly backend: Backend
  readonly store: SessionStore
  /** The database that it is in; absent where it is none. */
  readonly address?: StoreAddress
  readonly loaded: LoadedSettings
  /** The task; empty if an open turn is continued or the user has not entered one yet. */
  readonly task: string
  /** Whether an existing session is continued. */
  readonly resumed: boolean
}

/** Creates everything that a run needs, or reports that no model was chosen. */
export async function begin(beginning: Beginning): Promise<Begun | { readonly kind: 'no_model' }> {
  const { given, places, console, onNote } = beginning
  requireSense(beginning)
  const address = given.has('ephemeral') ? undefined : await storeAddress({ given, console, places })
  const store = given.has('ephemeral') ? new MemoryStore() : await storeFor(address, beginning)
  const chosen = await chosenSession(store, beginning)
  const before = await stateBefore(store, chosen, beginning)
  const loaded = loadSettings(places, { ...layersAround(before, beginning, address), environment: console.environment })
  for (const note of ignoredNotes(loaded)) onNote?.(note)
  const name = beginning.model ?? given.value('model') ?? loaded.settings.model
  if (name === undefined) return { kind: 'no_model' }
  const backend = await backendOf(name, loaded.settings, beginning).catch((error: unknown) => {
    throw name === before?.policy?.model?.model ? modelOfSession(before.id, name, error) : error
  })
  const config = configOf(loaded.settings, beginning)
  const task = taskOf(beginning)
  if (task === '' && beginning.audience === 'nobody') requireWork(before, chosen, given)
  const agent = await takeUp(chosen, { backend, store, config, loaded, address }, beginning)
  const resumed = chosen.id !== undefined
  const at = address === undefined ? {} : { address }
  return { kind: 'begun', given, console, places, agent, backend, store, ...at, loaded, task, resumed }
}

function storeFor(address: StoreAddress | undefined, beginning: Beginning): Promise<SessionStore> | SessionStore {
  const { places } = beginning
  return address === undefined ? filesOf(places, sessionsSetting(beginning)) : databaseOf(address, places)
}

/** Read before the session is known, because the store needs it. */
function sessionsSetting({ given, places }: Beginning): Settings['sessions'] {
  return loadSettings(places, { flags: given.values('config') }).settings.sessions
}

/** The task from the command line and standard input. */
function taskOf({ given, piped }: Beginning): string {
  const words = given.words.filter((word) => word !== '-' && word !== '').join(' ')
  return [words, piped.trim()].filter((part) => part !== '').join('\n\n')
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
  { given, places }: Beginning,
  address: StoreAddress | undefined,
) {
  const flags = given.values('config')
  if (before === undefined || before.policy === null) return { flags }
  // What lies in the project can have come with it, from a stranger.
  const isOwn = address !== undefined || hasSession(places.project().folders.sessions, before.id)
  return { flags, session: { id: before.id, settings: settingsOfSession(before.policy), isOwn } }
}

/** Notes on settings of an untrusted project that are ignored. */
function ignoredNotes({ origins }: LoadedSettings): string[] {
  const ignored = origins.filter((origin) => origin.ignored !== undefined)
  return [...new Set(ignored.map(({ source }) => source))].map((file) => {
    const [first, ...others] = ignored.filter(({ source }) => source === file)
    const names = [first, ...others].map((origin) => origin?.name).join(', ')
    return `${names} of ${file} ${others.length === 0 ? 'is' : 'are'} ignored: ${first?.ignored}`
  })
}

interface Parts {
  readonly backend: Backend
  readonly store: SessionStore
  readonly config: ReturnType<typeof configOf>
  readonly loaded: LoadedSettings
  readonly address: StoreAddress | undefined
}

/** Creates the agent for the chosen session: the session itself, a copy of it, or a new one. */
async function takeUp(
  chosen: SessionOfRun,
  { backend, store, config, loaded, address }: Parts,
  beginning: Beginning,
): Promise<RuntimeHandle> {
  const { given, places, onSession, onNote, audience } = beginning
  const title = titleGiven(given)
  const options = localOptions({
    backend,
    projectRoot: places.root,
    project: places.project(),
    store,
    config,
    walls: {
      ...wallsOf(loaded.settings, given),
      ...wallsFolders(beginning),
      credentials: [
        ...credentialsOf(loaded.settings, beginning.console, credentialFile(places)),
        ...(address?.secrets ?? []),
      ],
    },
    rules: () => rulesIn(userRulesFile(places)),
    trusted: loaded.trusted,
    ...(title !== undefined && { title }),
  })
  const walls = await options.walls?.()
  if (walls?.state === 'missing') {
    for (const note of missingWalls(walls.why ?? 'it is not known why', audience)) onNote?.(note)
  }
  const agent = new RuntimeHandle(options)
  if (chosen.id === undefined) {
    onSession?.(agent.session.id)
    return agent
  }
  const id = chosen.fork ? await copyOf(store, chosen.id) : chosen.id
  onSession?.(id)
  await freeSession(store, id, given, onNote)
  if (title !== undefined) await retitle(store, id, title)
  if (await agent.resumeSession(id)) return agent
  throw new LoaderError(
    'session_not_found',
    `Session ${id} is not there any more. See which there are: loader sessions`,
  )
}

async function copyOf(store: SessionStore, id: string): Promise<string> {
  const fork = await withCapability(store, 'fork').fork(id, undefined, { environment: localEnvironment() })
  return fork.id
}

function damaged(id: string): LoaderError {
  return new LoaderError(
    'session_damaged',
    `Session ${id} is damaged. What is intact can be read (loader show), what is damaged is said by loader verify, and loader doctor --repair makes a copy that goes on.`,
  )
}

/** The error if the model of a session is not available. It names the model, because the user did not. */
function modelOfSession(id: string, name: string, error: unknown): unknown {
  if (!LoaderError.is(error, 'invalid_config')) return error
  const advice = 'To go on with another model: -m <provider/id>'
  return new LoaderError('invalid_config', `Session ${id} was worked on with ${name}. ${error.message} ${advice}`)
}

async function backendOf(name: string, settings: Settings, { console, places }: Beginning): Promise<Backend> {
  const { backendFor } = await import('@loader/backends')
  const { providers = {}, nativeTools } = settings
  const own = Object.entries(providers).map(([provider, { api, baseUrl, apiKeyVariable, contextWindow }]) => [
    provider,
    {
      api,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKeyVariable !== undefined && { apiKeyVariable }),
      ...withWindow(settings.contextWindow ?? contextWindow),
    },
  ])
  const caches = cacheFolder(console.environment)
  return backendFor(name, {
    variables: console.environment,
    credentialFile: credentialFile(places),
    providers: Object.fromEntries(own),
    ...(caches !== undefined && { knownModelsFile: join(caches, 'models.json') }),
    // If the settings describe the model completely, the backend is not asked.
    ...withWindow(settings.contextWindow),
    ...(nativeTools !== undefined && { capabilities: { nativeTools } }),
  })
}

function withWindow(contextWindow: number | undefined): { readonly contextWindow?: number } {
  return contextWindow === undefined ? {} : { contextWindow }
}

/** Folders of walls are kept with the session. A session in memory leaves no files behind. */
function wallsFolders({ given, places, console }: Beginning) {
  const hidden = [stateFolder(console.environment), places.config]
  if (given.has('ephemeral')) return { hidden }
  const { folder, caches } = places.project().folders
  return { scratch: join(folder, 'scratch'), caches, hidden }
}

function missingWalls(why: string, audience: Policy['audience']): readonly string[] {
  const then = audience === 'nobody' ? 'Commands are refused.' : 'You are asked about each command.'
  return [`No walls here: ${why}. ${then}`, 'Where this machine is a wall itself (a container, CI): --walls off']
}

/** The flag overrides the setting's `use`; the rest of the setting still applies. */
function wallsOf({ walls }: Settings, given: Given): ReturnType<typeof wallsOptions> {
  const use = z.enum(['required', 'off']).optional().parse(given.value('walls'))
  return { ...wallsOptions(walls), ...(use !== undefined && { use }) }
}

function configOf(settings: Settings, { given }: Beginning) {
  const {
    model: _model,
    providers: _providers,
    sessions: _sessions,
    store: _store,
    walls: _walls,
    permissionMode,
    limits,
    ...rest
  } = settings
  const mode = z.optional(PermissionMode).parse(given.value('permission-mode')) ?? permissionMode
  const maxIterations = wholeNumber(given, 'max-turns')
  return {
    ...rest,
    ...(given.has('accept') && { accept: given.values('accept').slice() }),
    limits: { ...limits, ...(maxIterations !== undefined && { maxIterations }) },
    rules: flagRules(given),
    ...(mode !== undefined && { permissionMode: mode }),
  }
}
