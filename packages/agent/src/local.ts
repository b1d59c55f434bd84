import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { pid } from 'node:process'
import { clearTimeout, setTimeout } from 'node:timers'
import { type Backend, joinStores, LoaderError, type SessionStore } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { localTools } from '@loader/tools'
import { findProject, keepProject, openWorkspace } from '@loader/workspace'
import { effectiveRules, parseRules } from '@loader/workflow'
import { Agent, type AgentOptions } from './agent.ts'
import { type AgentConfig, parseConfig } from './config.ts'
import type { AgentEnvironment } from './stage/environment.ts'
import type { Hook } from './stage/hooks.ts'

export interface LocalAgentOptions {
  readonly backend: Backend
  /** The folder that the agent works in. */
  readonly projectRoot: string
  readonly config?: AgentConfig
  /** Where sessions are kept; without one, where the command `loader` keeps them: in the state folder of the user. */
  readonly store?: SessionStore
  /** Tools besides the usual ones; one with the name of a usual one takes its place. */
  readonly tools?: readonly Tool[]
  readonly hooks?: readonly Hook[]
  readonly sessionId?: string
  readonly title?: string
  /** Whether allow rules that lie in the project count. They may come from a stranger, so by default they do not. */
  readonly trusted?: boolean
}

/** A durable agent on this machine, in one call. */
export function localAgent(options: LocalAgentOptions): Agent {
  return new Agent(localOptions(options))
}

/** What `localAgent` wires together, for whoever owns the session in another way. */
export function localOptions(options: LocalAgentOptions): AgentOptions {
  const { backend, projectRoot, hooks = [], sessionId, title } = options
  const config = parseConfig(options.config ?? {})
  const own = options.tools ?? []
  const usual = localTools({ root: projectRoot }).filter(({ name }) => !own.some((tool) => tool.name === name))
  const tools = [...usual, ...own]
  return {
    backend,
    tools,
    hooks,
    workspace: openWorkspace({ root: projectRoot }),
    environment: localEnvironment(),
    process: { pid, host: hostname() },
    store: options.store ?? projectStore(projectRoot),
    config: { ...config, ...projectRules(options, config, tools) },
    ...(sessionId !== undefined && { sessionId }),
    ...(title !== undefined && { title }),
  }
}

/** Sessions of a project, in the state folder of the user. Those that lie in the project go on there. */
function projectStore(root: string): SessionStore {
  const project = findProject(root)
  const options = { beforeClaim: () => keepProject(project) }
  const kept = new FileSessionStore({ directory: project.folders.sessions }, options)
  const inProject = new FileSessionStore({ root }, options)
  return existsSync(inProject.directory) ? joinStores(kept, inProject) : kept
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

/** The rules of the project behind those of the settings. A file that cannot be understood stops everything. */
function projectRules(
  { projectRoot, trusted = false }: LocalAgentOptions,
  { rules = [], rulesSource }: AgentConfig,
  tools: readonly Tool[],
): AgentConfig {
  const file = join(projectRoot, '.loader', 'permission-rules.json')
  const text = textOf(file)
  if (text === undefined) return { rules }
  const parsed = parseRules(text, file, tools)
  if (!parsed.ok) {
    const { line, column, reason } = parsed.fault
    throw new LoaderError('invalid_config', `${file}:${line}:${column}: ${reason}. No rule holds until this is mended.`)
  }
  const inProject = effectiveRules([{ origin: 'project', rules: parsed.rules }], trusted ? 'trusted' : 'untrusted')
  return { rules: [...rules, ...inProject.rules], rulesSource: rulesSource ?? file }
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
