import { existsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { env, pid } from 'node:process'
import { clearTimeout, setTimeout } from 'node:timers'
import { type Backend, joinStores, LoaderError, type ParentSession, type SessionStore } from '@loader/session-core'
import type { PermissionRule, Tool, ToolSource } from '@loader/session-core/coding'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { localTools, sourceWithoutSecrets, withoutSecrets } from '@loader/tools'
import {
  findProject,
  homeFolder,
  isWithin,
  keepProject,
  openWorkspace,
  type Project,
  readOrdinary,
  realRoot,
  stateFolder,
  type WallsAround,
  wallsAround,
  type WallsAroundOptions,
  type WorkspaceOptions,
} from '@loader/workspace'
import { effectiveRules, parseRules } from '@loader/workflow'
import { Agent } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { type AgentConfig, parseConfig } from './config.ts'
import type { AgentEnvironment } from './stage/environment.ts'
import type { ChildOptions, OfferedTools } from './offered.ts'
import type { Hook } from './stage/hooks.ts'

/**
 * The options of `localAgent`: a model and a folder. All others have defaults for a coding agent on this machine.
 */
export interface LocalAgentOptions {
  readonly backend: Backend
  /** Takes over for the rest of a turn when the backend is overloaded. */
  readonly fallback?: Backend
  /** The folder that the agent works in. */
  readonly projectRoot: string
  readonly config?: AgentConfig
  /** Where sessions are kept; by default in the user's state folder, like the command `loader` does. */
  readonly store?: SessionStore
  /**
   * Where trees of the workspace are kept; by default in the user's state folder, even if `store` is given.
   */
  readonly project?: Project
  /** Additional tools; one with the name of a built-in tool replaces it. */
  readonly tools?: readonly Tool[]
  /** Tools that others provide and that can change, such as those of `@loader/mcp`. */
  readonly toolSource?: ToolSource
  /**
   * Hooks, or what makes them for the walls that commands run in, such as `commandHooks` of `@loader/extensions`. Child sessions
   * have them too: `project` is the project where `root` is a copy of it, and `agentType` the kind of agent.
   */
  readonly hooks?:
    | readonly Hook[]
    | ((place: {
        readonly root: string
        readonly walls: WallsAround
        readonly project?: string
        readonly agentType?: string
      }) => readonly Hook[])
  readonly sessionId?: string
  readonly title?: string
  /** The walls that commands run in; by default the ones that this machine supports. */
  readonly walls?: Omit<WallsAroundOptions, 'root'>
  /** Tools besides the usual, as `offerTools` makes them. */
  readonly offered?: OfferedTools
  /** Permission rules from files of the program; like those of the project, they are read for each decision. */
  readonly rules?: () => readonly PermissionRule[]
  /** Instructions of the user for every project; they come before those of the project. */
  readonly instructions?: WorkspaceOptions['instructions']
  /** The names of the tools that it has, where it shall not have all of these. */
  readonly onlyTools?: readonly string[]
  /** The session that begins this one for a part of its own task. */
  readonly parent?: ParentSession
  /** Whether allow rules of the project apply. They may come from a stranger, so by default they do not. */
  readonly trusted?: boolean
}

/** Creates a durable agent on this machine in one call. */
export function localAgent(options: LocalAgentOptions): Agent {
  return new Agent(localOptions(options))
}

/** The options that `localAgent` passes on, for programs that create `Agent` or `RuntimeHandle` themselves. */
export function localOptions(options: LocalAgentOptions): AgentOptions {
  const { backend, fallback, projectRoot, hooks = [], sessionId, title } = options
  const config = parseConfig(options.config ?? {})
  const own = options.tools ?? []
  const project = options.project ?? findProject(projectRoot)
  const around = { ...keptFor(project, options), ...options.walls, root: projectRoot }
  const walls = wallsAround(around)
  const background = options.offered?.background?.({ walls, around })
  const more = options.offered?.tools(background) ?? []
  const agents = options.offered?.agents?.({
    root: projectRoot,
    project,
    config: () => config,
    store: () => made.store,
    trees: () => made.workspace.trees,
    ...(options.toolSource && { toolSource: options.toolSource }),
    begin: (child) =>
      begun(options, { ...child, store: made.store, walls: { ...keptFor(project, options), ...options.walls } }),
  })
  const offered = [
    ...localTools({ ...around, walls, ...(background && { background }) }),
    ...more,
    ...(agents === undefined ? [] : [agents]),
  ]
  const usual = offered.filter(({ name }) => !own.some((tool) => tool.name === name))
  const { onlyTools } = options
  const tools = [...usual, ...own]
    .filter(({ name }) => onlyTools?.includes(name) !== false)
    .map((tool) => withoutSecrets(tool, () => walls.secrets()))
  const rulesFile = projectRulesFile(projectRoot)
  const rules = () => [...(options.rules?.() ?? []), ...projectRules(rulesFile, options, tools)]
  // Invalid rules must be reported before anything starts.
  rules()
  const made: AgentOptions = {
    backend,
    ...(fallback && { fallback }),
    tools,
    ...(options.toolSource && { toolSource: sourceWithoutSecrets(options.toolSource, () => walls.secrets()) }),
    hooks: typeof hooks === 'function' ? hooks({ root: projectRoot, ...wallsOfHooks(walls, around, config) }) : hooks,
    workspace: openWorkspace({ ...around, walls, ...treesOf(project), ...instructionsOf(options) }),
    walls: () => walls.state(),
    ...(background && { background }),
    findBackground: async () => (await import('./offer-tools.ts')).foundCommands({ walls, around }),
    environment: localEnvironment(),
    process: { pid, host: hostname() },
    store: options.store ?? storeOf(project),
    config: { ...config, rulesSource: config.rulesSource ?? rulesSourceOf(rulesFile) },
    rules,
    ...(sessionId !== undefined && { sessionId }),
    ...(title !== undefined && { title }),
    ...(options.parent && { parent: options.parent }),
  }
  return made
}

/**
 * Hooks in a copy read the project that it is a copy of, as they do there: the copy has no files that git ignores, and they may
 * need them to object.
 */
function wallsOfHooks(walls: WallsAround, around: WallsAroundOptions, { copyOf }: AgentConfig) {
  const project = copyOf?.at(-1)
  if (project === undefined) return { walls }
  const home = homeFolder()
  // A whole home folder is not shown to anything.
  if (home !== undefined && isWithin(realRoot(project), home)) return { walls, project }
  const { readable = [], ...settings } = around.settings ?? {}
  return { walls: wallsAround({ ...around, settings: { ...settings, readable: [...readable, project] } }), project }
}

/** The agent of a child: as that of its parent, but for these options. */
function begun(
  { offered, instructions, toolSource: _source, hooks, ...options }: LocalAgentOptions,
  { told, copy, agentType, ...changes }: ChildOptions & Pick<LocalAgentOptions, 'store' | 'walls'>,
) {
  // Commands that go on belong to the session that started them.
  const { background: _background, ...more } = offered ?? { tools: () => [] }
  const ports = localOptions({
    ...options,
    ...changes,
    ...(copy && { projectRoot: copy.root, project: copy.project }),
    offered: more,
    // The kind of a child of this child comes with its place, and counts.
    ...(hooks && { hooks: typeof hooks === 'function' ? (place) => hooks({ agentType, ...place }) : hooks }),
    instructions: () => [...(instructions?.() ?? []), { path: 'the task', text: told }],
  })
  return { agent: new Agent(ports), trees: ports.workspace.trees }
}

/** The store of a project, in the user's state folder. Sessions already kept in the project stay there. */
function storeOf(project: Project): SessionStore {
  const options = { beforeClaim: () => keepProject(project) }
  const kept = new FileSessionStore({ directory: project.folders.sessions }, options)
  const inProject = new FileSessionStore({ root: project.root }, options)
  return existsSync(inProject.directory) ? joinStores(kept, inProject) : kept
}

/** Where walls keep temporary files of sessions and caches of the project; commands cannot see these folders. */
function keptFor(
  project: Project,
  { store }: LocalAgentOptions,
): Pick<WallsAroundOptions, 'scratch' | 'caches' | 'hidden'> {
  if (store !== undefined) return { hidden: [stateFolder(env)] }
  const { folder, caches } = project.folders
  return { scratch: join(folder, 'scratch'), caches, hidden: [stateFolder(env)] }
}

function instructionsOf({ instructions }: LocalAgentOptions): Pick<WorkspaceOptions, 'instructions'> {
  return instructions === undefined ? {} : { instructions }
}

function treesOf(project: Project): Pick<WorkspaceOptions, 'treesFolder' | 'roomsFolder' | 'beforeTrees'> {
  const { trees, folder } = project.folders
  return { treesFolder: trees, roomsFolder: join(folder, 'rooms'), beforeTrees: () => keepProject(project) }
}

/** Node runs timers with a longer delay at once. */
const longestTimerMs = 2_147_483_647

/** The clock, random source and timers of this machine. */
export function localEnvironment(): AgentEnvironment {
  return {
    ...systemEnvironment(),
    after(milliseconds, work) {
      const timer = setTimeout(work, Math.min(milliseconds, longestTimerMs))
      return () => clearTimeout(timer)
    },
  }
}

function projectRulesFile(root: string): string {
  return join(root, '.loader', 'permission-rules.json')
}

function rulesSourceOf(file: string): string | null {
  return textOf(file) === undefined ? null : file
}

/** The current rules of the project. An invalid file is an error that stops the run. */
function projectRules(
  file: string,
  { trusted = false }: LocalAgentOptions,
  tools: readonly Tool[],
): readonly PermissionRule[] {
  const text = textOf(file)
  if (text === undefined) return []
  const parsed = parseRules(text, file, tools)
  if (!parsed.ok) {
    const { line, column, reason } = parsed.fault
    throw new LoaderError('invalid_config', `${file}:${line}:${column}: ${reason}. No rule holds until this is mended.`)
  }
  return [...effectiveRules([{ origin: 'project', rules: parsed.rules }], trusted ? 'trusted' : 'untrusted').rules]
}

function textOf(file: string): string | undefined {
  try {
    // Asked before each call, and mostly there is no such file: an error for that would cost more than all else here.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    return readOrdinary(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LoaderError('invalid_config', `${file} cannot be read (${String(code)}). No rule holds until it can.`, {
      cause: error,
    })
  }
}
