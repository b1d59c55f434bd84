import { join } from 'node:path'
import { RuntimeHandle } from '@loader/agent'
import { localEnvironment, localOptions } from '@loader/agent/local'
import type { LocalAgentOptions } from '@loader/agent/local'
import {
  type Backend,
  type FilePart,
  LoaderError,
  MemoryStore,
  readSession,
  type SessionRow,
  type SessionState,
  type SessionStore,
  type ThinkingLevel,
  withCapability,
} from '@loader/session-core'
import type { McpServers } from '@loader/mcp'
import * as z from 'zod'
import { hasSession } from '@loader/session-fs'
import { stateFolder } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { amountGiven } from '../arguments/amount-given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import type { Console } from '../console/console.ts'
import { customTask } from '../custom/custom-task.ts'
import { namesHooks } from '../hooks/configured.ts'
import { mayHaveSkills } from '../skills/configured.ts'
import { namesServers } from '../mcp/configured.ts'
import { flagRules } from '../permissions/flag-rules.ts'
import { rulesIn, userRulesFile } from '../permissions/rules-files.ts'
import type { Places } from '../places/places.ts'
import { titleGiven } from '../sessions/title-given.ts'
import { loadSettings, type LoadedSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { userInstructions } from '../settings/user-instructions.ts'
import { settingsOfSession } from '../settings/settings-of-session.ts'
import { wallsOptions } from '../settings/walls-settings.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { databaseOf, filesOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'
import { addedFolders, addedInstructions, addedNote } from './added-folders.ts'
import type { AnswerSchema } from './answer-schema.ts'
import { credentialsOf } from './credentials.ts'
import { sessionOfRun, type SessionOfRun } from './session-of-run.ts'
import { mentionedFiles } from './mentioned-files.ts'
import { taskOfPlan } from './mode-of-run.ts'
import { requireSense, requireWork } from './require-sense.ts'
import { retitle } from './retitle.ts'
import { PermissionMode, type PermissionRule, type Policy } from '@loader/session-core/coding'

export interface Beginning {
  readonly given: Given
  readonly console: Console
  readonly places: Places
  /** The text from standard input. */
  readonly piped: string
  readonly audience: Policy['audience']
  /** Overrides the given model. */
  readonly model?: string
  /** Overrides the given level of thinking. */
  readonly thinking?: ThinkingLevel
  /** Overrides the given session: the session to continue, or null for a new one. */
  readonly sessionId?: string | null
  /** Overrides the title of a new session. */
  readonly title?: string
  /** The id of a new session; generated if absent. */
  readonly newId?: string
  /**
   * A store that is open already, for a worker, which has prepared the folder. What a session of it brings along decides
   * nothing here.
   */
  readonly opened?: { readonly store: SessionStore; readonly address: StoreAddress }
  /** Called with the session's id as soon as it is known, before the session is claimed. */
  readonly onSession?: (id: string) => void
  /** Called with a note that does not end the run. */
  readonly onNote?: (note: string) => void
  /** Asks which of these sessions is meant; without it, an unknown name of a session ends the run. */
  readonly askWhich?: (
    question: string,
    rows: readonly SessionRow[],
    store: SessionStore,
  ) => Promise<SessionRow | undefined>
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
  /** What the answer has to match. */
  readonly answerSchema?: AnswerSchema
  /** The task; empty if an open turn is continued or the user has not entered one yet. */
  readonly task: string
  /** What a command of the user's own allows while its task is done. Set before each task. */
  readonly lent: { rules: readonly PermissionRule[] }
  /** Files that go with the task. */
  readonly files: readonly FilePart[]
  /** Files that the task names with an @. */
  readonly quote: readonly string[]
  /** Whether an existing session is continued. */
  readonly resumed: boolean
  /** The MCP servers of the run, if there are any. */
  readonly mcp?: McpServers
}

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

/** Commands that run at certain moments. Most runs have none. */
async function hooksFor(loaded: LoadedSettings, places: Places, onNote: Beginning['onNote']) {
  if (!namesHooks(loaded, places)) return { readable: [] }
  const { hooksOfRun, commandHooks } = await import('../hooks/of-run.ts')
  const { hooks, notes, readable } = hooksOfRun(loaded, places)
  for (const note of notes) onNote?.(note)
  if (hooks.length === 0) return { readable }
  return { readable, hooks: (place: Parameters<typeof commandHooks>[1]) => commandHooks(hooks, place) }
}

/** Folders with instructions for the model. Most runs have none. */
async function skillsFor(
  { skills }: Settings,
  places: Places,
  working: () => RuntimeHandle['session'] | undefined,
  onNote: Beginning['onNote'],
) {
  if (skills === false || !mayHaveSkills(places)) return { readable: [], rules: () => [] }
  const { skillsOfRun } = await import('../skills/of-run.ts')
  return skillsOfRun(places, working, onNote)
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
  // What lies in the project can have come with it, from a stranger; what a worker takes, from anybody.
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

interface Parts {
  readonly backend: Backend
  readonly fallback: Backend | undefined
  readonly store: SessionStore
  readonly config: ReturnType<typeof configOf>
  readonly loaded: LoadedSettings
  readonly address: StoreAddress | undefined
  readonly answerSchema: AnswerSchema | undefined
  readonly lent: Begun['lent']
  readonly mcp: McpServers | undefined
  /** What nothing may show besides keys of providers. */
  readonly secrets: readonly string[]
}

/** Creates the agent for the chosen session: the session itself, a copy of it, or a new one. */
async function takeUp(
  chosen: SessionOfRun,
  { backend, fallback, store, config, loaded, address, answerSchema, lent, mcp, secrets }: Parts,
  beginning: Beginning,
): Promise<RuntimeHandle> {
  const { given, places, onSession, onNote, audience } = beginning
  const title = beginning.title ?? titleGiven(given)
  const added = addedFolders(given, places)
  if (added.length > 0) onNote?.(addedNote(added))
  const ofThisRun = [
    ...(added.length > 0 ? [addedInstructions(added)] : []),
    ...(answerSchema === undefined ? [] : [answerSchema.instructions]),
  ]
  let agent: RuntimeHandle | undefined
  const working = () => agent?.session
  const {
    readable: ofSkills,
    rules: lentBySkills,
    ...skills
  } = await skillsFor(loaded.settings, places, working, onNote)
  const { readable: ofHooks, ...hooks } = await hooksFor(loaded, places, onNote)
  const options = localOptions({
    backend,
    ...skills,
    ...(fallback && { fallback }),
    projectRoot: places.root,
    project: places.project(),
    store,
    config,
    walls: {
      ...wallsOf(loaded.settings, given, added, [...ofSkills, ...ofHooks]),
      ...wallsFolders(beginning),
      credentials: [
        ...(await credentialsOf(loaded.settings, beginning.console, places, { only: providersOf(backend, fallback) })),
        ...(address?.secrets ?? []),
        ...secrets,
      ],
    },
    ...(await offeredIn(loaded, beginning)),
    ...hooks,
    rules: () => [...rulesIn(userRulesFile(places)), ...lent.rules, ...lentBySkills()],
    ...(mcp && { toolSource: mcp }),
    trusted: loaded.trusted,
    instructions: () => [...userInstructions(places), ...ofThisRun],
    ...(title !== undefined && { title }),
    ...(beginning.newId !== undefined && { sessionId: beginning.newId }),
  })
  const walls = await options.walls?.()
  if (walls?.state === 'missing') {
    for (const note of missingWalls(walls.why ?? 'it is not known why', audience)) onNote?.(note)
  }
  agent = new RuntimeHandle(options)
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

async function backendFrom(name: string, settings: Settings, beginning: Beginning): Promise<Backend> {
  const { backendOf } = await import('./backend-of.ts')
  return backendOf(name, settings, beginning)
}

/** The model that takes over. That of the session itself would not help. */
async function fallbackFor(model: string, settings: Settings, beginning: Beginning): Promise<Backend | undefined> {
  const name = beginning.given.value('fallback-model') ?? settings.fallbackModel
  if (name === undefined || name === model) return undefined
  return backendFrom(name, settings, beginning)
}

/** Few runs have them. */
async function offeredIn(
  { settings, trusted }: LoadedSettings,
  beginning: Beginning,
): Promise<Pick<LocalAgentOptions, 'offered'>> {
  const { given, places, onNote } = beginning
  const isWanted = Object.values(settings.tools ?? {}).some((each) => each !== false) || given.has('tools')
  if (!isWanted) return {}
  const { offeredTools } = await import('../settings/offered-tools.ts')
  return offeredTools(settings, given.values('tools'), async () => {
    const { kindsOfAgents } = await import('../settings/kinds-of-agents.ts')
    const { kinds, notes } = kindsOfAgents(places, trusted)
    for (const note of notes) onNote?.(note)
    return { kinds, backendOf: (model) => backendFrom(model, settings, beginning) }
  })
}

/** The names of the providers that a run can ask. */
function providersOf(...backends: readonly (Backend | undefined)[]): readonly string[] {
  return backends.flatMap((backend) => backend?.id.split('/')[0] ?? [])
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
function wallsOf(
  { walls }: Settings,
  given: Given,
  added: readonly string[],
  readable: readonly string[] = [],
): ReturnType<typeof wallsOptions> {
  const use = z.enum(['required', 'off']).optional().parse(given.value('walls'))
  const { settings, ...options } = wallsOptions(walls)
  const opened = {
    ...settings,
    ...(added.length > 0 && { writable: [...(settings?.writable ?? []), ...added] }),
    ...(readable.length > 0 && { readable: [...(settings?.readable ?? []), ...readable] }),
  }
  const more = added.length + readable.length > 0
  return { ...options, ...(use !== undefined && { use }), settings: more ? opened : settings }
}

function configOf(settings: Settings, { given }: Beginning) {
  const {
    model: _model,
    providers: _providers,
    sessions: _sessions,
    store: _store,
    walls: _walls,
    tools: _tools,
    prices: _prices,
    fallbackModel: _fallbackModel,
    maxBudgetUsd,
    unknownPrices = 'refuse',
    keys: _keys,
    notify: _notify,
    theme: _theme,
    mcpServers: _mcpServers,
    hooks: _hooks,
    skills: _skills,
    permissionMode,
    limits,
    ...rest
  } = settings
  const asked = given.value('permission-mode')
  const mode = z.optional(PermissionMode).parse(asked === 'plan' ? undefined : asked) ?? permissionMode
  const maxIterations = wholeNumber(given, 'max-turns')
  const usd = amountGiven(given, 'max-budget-usd') ?? maxBudgetUsd
  return {
    ...rest,
    ...(given.has('accept') && { accept: given.values('accept').slice() }),
    ...(usd !== undefined && { budget: { usd, unknownPrices } }),
    limits: { ...limits, ...(maxIterations !== undefined && { maxIterations }) },
    rules: flagRules(given),
    ...(mode !== undefined && { permissionMode: mode }),
  }
}
