import { type Backend, MemoryStore, type History, type SessionStore } from '@loader/session-core'
import type { Tool, Workspace, WorkspaceTrees } from '@loader/session-core/coding'
import { ScriptedBackend, type ScriptLine, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { Agent, type AgentConfig, type AgentEnvironment, type Hook } from '../../src/index.ts'
import { type LocalAgentOptions, localEnvironment, localOptions } from '../../src/local.ts'
import { withoutTrees } from './without-trees.ts'

export interface SceneOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly lines?: readonly ScriptLine[]
  /** Instead of lines. */
  readonly backend?: Backend
  readonly fallback?: Backend
  readonly store?: SessionStore
  readonly config?: AgentConfig
  readonly tools?: readonly Tool[]
  readonly hooks?: readonly Hook[]
  readonly environment?: AgentEnvironment
  readonly trusted?: boolean
  /** Whether models can say how a turn ends, and are asked for it. Absent: what is tested has nothing to do with it. */
  readonly statements?: 'wanted'
  /**
   * Whether trees are kept of the files, and rooms made of them: each look at the files starts several processes of git.
   * Absent: what is tested has nothing to do with it, so there are none.
   */
  readonly trees?: 'kept' | 'kept from CI on' | WorkspaceTrees
  /** What commands run in. Absent: what is tested has nothing to do with it, so there are none. */
  readonly walls?: LocalAgentOptions['walls']
}

/** A folder, a session and an agent at work there, with a script for a model. */
export interface Scene extends AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  readonly store: SessionStore
  readonly backend: Backend
  readonly agent: Agent
  /** Another process, as it were: an agent over the same store and folder. */
  again(changes?: Partial<SceneOptions>): Agent
  /** What is stored of the session of the first agent, unless another id is given. */
  history(id?: string): Promise<History>
}

export async function scene(options: SceneOptions = {}): Promise<Scene> {
  const { files, lines = [], store = new MemoryStore() } = options
  const workspace = await temporaryWorkspace(files === undefined ? {} : { files })
  const backend = options.backend ?? ScriptedBackend.from(lines)
  const agents: Agent[] = []
  const again = (changes: Partial<SceneOptions> = {}) => {
    const agent = makeAgent(workspace.root, { ...options, store, backend, ...changes })
    agents.push(agent)
    return agent
  }
  const agent = again()
  return {
    workspace,
    store,
    backend,
    agent,
    again,
    history: (id = agent.session.id) => historyOf(store, id),
    async [Symbol.asyncDispose]() {
      for (const each of agents) await each.close()
      await workspace.dispose()
    },
  }
}

function makeAgent(
  projectRoot: string,
  {
    lines,
    config,
    tools,
    hooks,
    trusted,
    walls = { use: 'off' },
    statements,
    trees,
    environment = localEnvironment(),
    ...rest
  }: SceneOptions & { store: SessionStore; backend: Backend },
): Agent {
  const backend = lines === undefined ? rest.backend : ScriptedBackend.from(lines)
  const options = localOptions({
    backend,
    ...(rest.fallback && { fallback: rest.fallback }),
    projectRoot,
    walls,
    store: rest.store,
    ...(config && { config }),
    ...(tools && { tools }),
    ...(hooks && { hooks }),
    ...(trusted !== undefined && { trusted }),
  })
  const offered = statements === 'wanted' ? options.tools : options.tools.filter(({ name }) => name !== 'finish')
  return new Agent({ ...options, tools: offered, workspace: workspaceWith(trees, options.workspace), environment })
}

function workspaceWith(trees: SceneOptions['trees'], workspace: Workspace): Workspace {
  if (trees === 'kept' || (trees === 'kept from CI on' && fromCi)) return workspace
  return { ...withoutTrees(workspace), ...(typeof trees === 'object' && { trees }) }
}

export async function historyOf(store: SessionStore, id: string): Promise<History> {
  const history = []
  for await (const event of store.read(id)) history.push(event)
  return history
}
