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
 * What `localAgent` needs: a model and a folder. Everything else has a default that fits a coding agent on this
 * machine.
 */
export interface LocalAgentOptions {
  readonly backend: Backend
  /** The folder that the agent works in. */
  readonly projectRoot: string
  readonly config?: AgentConfig
  /** Where sessions are kept; without one, where the command `loader` keeps them: in the state folder of the user. */
  readonly store?: SessionStore
  /**
   * Where trees of the workspace are kept; without it, in the state folder of the user, also when `store` is another
   * one.
   */
  readonly project?: Project
  /** Tools besides the usual ones; one with the name of a usual one takes its place. */
  readonly tools?: readonly Tool[]
  readonly hooks?: readonly Hook[]
  readonly sessionId?: string
  readonly title?: string
  /** What commands run in: walls as far as this machine has them, unless it says otherwise. */
  readonly walls?: Omit<WallsAroundOptions, 'root'>
  /** Permission rules from files of the program; like those of the project, they are read whenever a call is decided. */
  readonly rules?: () => readonly PermissionRule[]
  /** Whether allow rules that lie in the project count. They may come from a stranger, so by default they do not. */
  readonly trusted?: boolean
}

/** A durable agent on this machine, in one call. */
export function localAgent(options: LocalAgentOptions): Agent {
  return new Agent(localOptions(options))
}

/** What `localAgent` wires together, for programs that create `Agent` or `RuntimeHandle` themselves. */
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
  // What cannot be understood is found before anything begins.
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

/** Sessions of a project, in the state folder of the user. Those that lie in the project go on there. */
function storeOf(project: Project): SessionStore {
  const options = { beforeClaim: () => keepProject(project) }
  const kept = new FileSessionStore({ directory: project.folders.sessions }, options)
  const inProject = new FileSessionStore({ root: project.root }, options)
  return existsSync(inProject.directory) ? joinStores(kept, inProject) : kept
}

/** Where walls keep the temporary files of sessions and the caches of the project; no command sees any of it. */
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

/** What is further away than this, Node takes to be now. */
const longestTimerMs = 2_147_483_647

/** The clock, the chance and the timers of this machine. */
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

/** The rules of the project as they are now. A file that cannot be understood stops everything. */
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
