import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { env, pid } from 'node:process'
import { clearTimeout, setTimeout } from 'node:timers'
import { type Backend, joinStores, LoaderError, type SessionStore } from '@loader/session-core'
import type { PermissionRule, Tool } from '@loader/session-core/coding'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { localTools, withoutSecrets } from '@loader/tools'
import {
  findProject,
  keepProject,
  openWorkspace,
  type Project,
  stateFolder,
  wallsAround,
  type WallsAroundOptions,
  type WorkspaceOptions,
} from '@loader/workspace'
import { effectiveRules, parseRules } from '@loader/workflow'
import { Agent, type AgentOptions } from './agent.ts'
import { type AgentConfig, parseConfig } from './config.ts'
import type { AgentEnvironment } from './stage/environment.ts'
import type { Hook } from './stage/hooks.ts'

/**
 * The options of `localAgent`: a model and a folder. All others have defaults for a coding agent on this machine.
 */
export interface LocalAgentOptions {
  readonly backend: Backend
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
  readonly hooks?: readonly Hook[]
  readonly sessionId?: string
  readonly title?: string
  /** The walls that commands run in; by default the ones that this machine supports. */
  readonly walls?: Omit<WallsAroundOptions, 'root'>
  /** Permission rules from files of the program; like those of the project, they are read for each decision. */
  readonly rules?: () => readonly PermissionRule[]
  /** Whether allow rules of the project apply. They may come from a stranger, so by default they do not. */
  readonly trusted?: boolean
}

/** Creates a durable agent on this machine in one call. */
export function localAgent(options: LocalAgentOptions): Agent {
  return new Agent(localOptions(options))
}

/** The options that `localAgent` passes on, for programs that create `Agent` or `RuntimeHandle` themselves. */
export function localOptions(options: LocalAgentOptions): AgentOptions {
  const { backend, projectRoot, hooks = [], sessionId, title } = options
  const config = parseConfig(options.config ?? {})
  const own = options.tools ?? []
  const project = options.project ?? findProject(projectRoot)
  const around = { ...keptFor(project, options), ...options.walls, root: projectRoot }
  const walls = wallsAround(around)
  const usual = localTools({ ...around, walls }).filter(({ name }) => !own.some((tool) => tool.name === name))
  const tools = [...usual, ...own].map((tool) => withoutSecrets(tool, () => walls.secrets()))
  const rules = () => [...(options.rules?.() ?? []), ...projectRules(options, tools)]
  // Invalid rules must be reported before anything starts.
  rules()
  return {
    backend,
    tools,
    hooks,
    workspace: openWorkspace({ ...around, walls, ...treesOf(project) }),
    walls: () => walls.state(),
    environment: localEnvironment(),
    process: { pid, host: hostname() },
    store: options.store ?? storeOf(project),
    config: { ...config, rulesSource: config.rulesSource ?? rulesSourceOf(projectRoot) },
    rules,
    ...(sessionId !== undefined && { sessionId }),
    ...(title !== undefined && { title }),
  }
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

function rulesSourceOf(root: string): string | null {
  const file = projectRulesFile(root)
  return textOf(file) === undefined ? null : file
}

/** The current rules of the project. An invalid file is an error that stops the run. */
function projectRules({ projectRoot, trusted = false }: LocalAgentOptions, tools: readonly Tool[]): PermissionRule[] {
  const file = projectRulesFile(projectRoot)
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
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LoaderError('invalid_config', `${file} cannot be read (${String(code)}). No rule holds until it can.`, {
      cause: error,
    })
  }
}
