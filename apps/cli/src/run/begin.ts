import { join } from 'node:path'
import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { type Backend, LoaderError, MemoryStore, PermissionMode, type Policy } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console.ts'
import { flagRules } from '../permissions/flag-rules.ts'
import { rulesIn, userRulesFile } from '../permissions/rules-files.ts'
import type { Places } from '../places.ts'
import { noteProject } from '../projects.ts'
import { loadSettings, type LoadedSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { titleGiven } from '../title-given.ts'
import { wholeNumber } from '../whole-number.ts'
import { chooseSession, type ChosenSession } from './choose-session.ts'
import { requireSense, requireWork } from './require-sense.ts'
import { retitle } from './retitle.ts'

export interface Beginning {
  readonly given: Given
  readonly console: Console
  readonly places: Places
  /** What came through standard input. */
  readonly piped: string
  readonly audience: Policy['audience']
  /** Another model than was given. */
  readonly model?: string
  /** The session to go on with, or null for a fresh one, whatever was given. */
  readonly sessionId?: string | null
  /** Told which session it is about as soon as that is known, before it is claimed. */
  readonly onSession?: (id: string) => void
  /** Something to know that ends nothing. */
  readonly onNote?: (note: string) => void
}

export interface Begun {
  readonly kind: 'begun'
  readonly given: Given
  readonly console: Console
  readonly places: Places
  readonly agent: RuntimeHandle
  readonly backend: Backend
  readonly store: FileSessionStore | MemoryStore
  readonly loaded: LoadedSettings
  /** What to do; empty when an open turn is to be continued, or when the user has not said yet. */
  readonly task: string
  /** Whether an existing session was taken up. */
  readonly resumed: boolean
}

/** Everything that a run needs, made from what was given; or the news that no model was chosen. */
export async function begin(beginning: Beginning): Promise<Begun | { readonly kind: 'no_model' }> {
  const { given, places, console, onNote } = beginning
  requireSense(beginning)
  const loaded = loadSettings(places, { flags: given.values('config'), environment: console.environment })
  for (const note of ignoredNotes(loaded)) onNote?.(note)
  const name = beginning.model ?? given.value('model') ?? loaded.settings.model
  if (name === undefined) return { kind: 'no_model' }
  const backend = await backendOf(name, loaded.settings, beginning)
  const store = given.has('ephemeral') ? new MemoryStore() : new FileSessionStore({ root: places.root })
  const config = configOf(loaded.settings, beginning)
  const chosen = await chosenSession(store, beginning)
  if (chosen.note !== undefined) onNote?.(chosen.note)
  const task = taskOf(chosen, beginning)
  if (task === '' && beginning.audience === 'nobody') await requireWork(store, chosen, given)
  const agent = await takeUp(chosen, { backend, store, config, loaded }, beginning)
  if (store instanceof FileSessionStore) noteProject(places.config, places.root)
  const resumed = chosen.id !== undefined
  return { kind: 'begun', given, console, places, agent, backend, store, loaded, task, resumed }
}

/** What was said, in words and through standard input. */
function taskOf({ firstWord = '' }: ChosenSession, { given, piped }: Beginning): string {
  const words = [firstWord, ...given.words.filter((word) => word !== '-')].filter((word) => word !== '').join(' ')
  return [words, piped.trim()].filter((part) => part !== '').join('\n\n')
}

async function chosenSession(
  store: FileSessionStore | MemoryStore,
  { given, sessionId }: Beginning,
): Promise<ChosenSession> {
  if (store instanceof MemoryStore) return {}
  if (sessionId !== undefined) return sessionId === null ? {} : { id: sessionId }
  return chooseSession(store, given)
}

/** What a project tried to set that nobody has trusted. */
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
  readonly store: FileSessionStore | MemoryStore
  readonly config: ReturnType<typeof configOf>
  readonly loaded: LoadedSettings
}

/** The agent, in the session that was chosen: the one itself, a copy of it, or a new one. */
async function takeUp(
  chosen: ChosenSession,
  { backend, store, config, loaded }: Parts,
  beginning: Beginning,
): Promise<RuntimeHandle> {
  const { given, places, onSession } = beginning
  const title = titleGiven(given)
  const options = localOptions({
    backend,
    projectRoot: places.root,
    store,
    config,
    trusted: loaded.trusted,
    ...(title !== undefined && { title }),
  })
  const agent = new RuntimeHandle(options)
  if (chosen.id === undefined || store instanceof MemoryStore) {
    onSession?.(agent.session.id)
    return agent
  }
  onSession?.(chosen.id)
  if (chosen.isDamaged) throw damaged(chosen.id)
  const id = chosen.fork ? (await store.fork(chosen.id)).id : chosen.id
  onSession?.(id)
  if (title !== undefined) await retitle(store, id, title)
  if (await agent.resumeSession(id)) return agent
  throw new LoaderError(
    'session_not_found',
    `Session ${id} is not there any more. See which there are: loader sessions`,
  )
}

function damaged(id: string): LoaderError {
  return new LoaderError('session_damaged', `Session ${id} is damaged. See how, and what can be done: loader doctor`)
}

async function backendOf(name: string, { providers = {} }: Settings, { console, places }: Beginning): Promise<Backend> {
  const { backendFor } = await import('@loader/backends')
  const own = Object.entries(providers).map(([provider, { api, baseUrl, apiKeyVariable, contextWindow }]) => [
    provider,
    {
      api,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKeyVariable !== undefined && { apiKeyVariable }),
      ...(contextWindow !== undefined && { contextWindow }),
    },
  ])
  return backendFor(name, {
    variables: console.environment,
    credentialFile: join(places.config, 'credentials.json'),
    providers: Object.fromEntries(own),
  })
}

function configOf(settings: Settings, { given, places }: Beginning) {
  const { model: _model, providers: _providers, permissionMode, limits, ...rest } = settings
  const mode = PermissionMode.optional().parse(given.value('permission-mode')) ?? permissionMode
  const maxIterations = wholeNumber(given, 'max-turns')
  return {
    ...rest,
    limits: { ...limits, ...(maxIterations !== undefined && { maxIterations }) },
    rules: [...flagRules(given), ...rulesIn(userRulesFile(places))],
    ...(mode !== undefined && { permissionMode: mode }),
  }
}
