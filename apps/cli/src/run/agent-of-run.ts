import { RuntimeHandle } from '@loader/agent'
import { localEnvironment, type LocalAgentOptions, localOptions } from '@loader/agent/local'
import type { McpServers } from '@loader/mcp'
import { type Backend, LoaderError, type SessionStore, withCapability } from '@loader/session-core'
import { namesHooks } from '../hooks/configured.ts'
import { rulesIn, userRulesFile } from '../permissions/rules-files.ts'
import type { Places } from '../places/places.ts'
import { freeSession } from '../sessions/take-over.ts'
import { titleGiven } from '../sessions/title-given.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { userInstructions } from '../settings/user-instructions.ts'
import { mayHaveSkills } from '../skills/configured.ts'
import { addedFolders, addedInstructions, addedNote } from './added-folders.ts'
import type { AnswerSchema } from './answer-schema.ts'
import { backendFrom } from './model-of-run.ts'
import type { Beginning, Begun } from './beginning.ts'
import type { configOf } from './config-of-run.ts'
import { credentialsOf } from './credentials.ts'
import { retitle } from './retitle.ts'
import type { SessionOfRun } from './session-of-run.ts'
import { missingWalls, wallsFolders, wallsOf } from './walls-of-run.ts'

/** What the agent of a run is made of. */
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
export async function takeUp(
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
