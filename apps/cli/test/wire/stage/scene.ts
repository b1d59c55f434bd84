import { Agent, type AgentConfig, type AgentEnvironment } from '@loader/agent'
import { localEnvironment, localOptions } from '@loader/agent/local'
import { type ModelPrice, withPrices } from '@loader/backends'
import { readSession, type History, type SessionState, type SessionStore } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { type TemporaryWorkspace, temporaryWorkspace } from '@loader/test-harness'
import {
  type Exchange,
  type WireRequest,
  type WireScriptSource,
  type WireServer,
  wireServer,
} from '@loader/test-harness/wire'
import { openWorkspace, wallsAround } from '@loader/workspace'
import { backendTo, type Protocol } from './protocols.ts'

/** The clock of this machine, on which whoever waits is there at once: the clock goes on by that time. */
function quickEnvironment(): AgentEnvironment {
  const real = localEnvironment()
  let ahead = 0
  return {
    newId: (prefix) => real.newId(prefix),
    now: () => new Date(Date.parse(real.now()) + ahead).toISOString(),
    after(milliseconds, work) {
      return real.after(0, () => {
        ahead += milliseconds
        work()
      })
    },
  }
}

interface SceneOptions extends WireScriptSource {
  readonly protocol: Protocol
  /** The model that takes over. */
  readonly fallback?: Protocol
  /** What the model costs; absent: what its backend says. */
  readonly price?: ModelPrice
  /** The name of the model; absent: the one of scripts. */
  readonly model?: string
  readonly files?: Readonly<Record<string, string>>
  readonly config?: AgentConfig
  /** Whether the work is judged, which takes trees and trials. Absent: what is tested is what the server is sent. */
  readonly judged?: true
}

/** An agent in this process, with its sessions on the disk and its model behind a strict server. */
export class Scene implements AsyncDisposable {
  readonly server: WireServer
  readonly workspace: TemporaryWorkspace
  readonly store: SessionStore
  readonly environment = quickEnvironment()
  #options: SceneOptions
  #agent: Agent

  private constructor(server: WireServer, workspace: TemporaryWorkspace, options: SceneOptions) {
    this.server = server
    this.workspace = workspace
    this.store = new FileSessionStore({ root: workspace.root })
    this.#options = options
    this.#agent = this.#newAgent(options.protocol)
  }

  static async set({
    protocol,
    model,
    files = {},
    config,
    judged,
    fallback,
    price,
    ...script
  }: SceneOptions): Promise<Scene> {
    const workspace = await temporaryWorkspace({ files })
    const server = await wireServer(script)
    return new Scene(server, workspace, {
      protocol,
      ...(model !== undefined && { model }),
      files,
      ...(config && { config }),
      ...(judged && { judged }),
      ...(fallback && { fallback }),
      ...(price && { price }),
      ...script,
    })
  }

  get agent(): Agent {
    return this.#agent
  }

  /** Another agent over the same session, as after a restart, perhaps with another model or other settings. */
  async again(
    protocol: Protocol = this.#options.protocol,
    change: Pick<SceneOptions, 'model' | 'config'> = {},
  ): Promise<Agent> {
    const { id } = this.#agent.session
    this.#options = { ...this.#options, ...change }
    await this.#agent.close()
    this.#agent = this.#newAgent(protocol)
    await this.#agent.resumeSession(id)
    return this.#agent
  }

  session(): Promise<{ readonly state: SessionState; readonly history: History }> {
    return readSession(this.store, this.#agent.session.id)
  }

  /** What the server was asked, request by request. */
  get asked(): readonly WireRequest[] {
    return this.server.requests.map(requestOf)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close()
    await this.server.close()
    await this.workspace.dispose()
  }

  #newAgent(protocol: Protocol): Agent {
    const { config, judged, fallback, price, model } = this.#options
    const backendOf = (name: Protocol) => {
      const backend = backendTo(name, this.server.url, model)
      return price === undefined ? backend : withPrices(backend, { prices: { [backend.id]: price } })
    }
    const walls = { use: 'off' } as const
    const projectRoot = this.workspace.root
    const options = localOptions({
      backend: backendOf(protocol),
      ...(fallback && { fallback: backendOf(fallback) }),
      projectRoot,
      walls,
      store: this.store,
      config: { permissionMode: 'allow', ...config },
    })
    // How turns end is the matter of other tests.
    const tools = options.tools.filter(({ name }) => name !== 'finish')
    const place = { root: projectRoot, walls: wallsAround({ ...walls, root: projectRoot }) }
    const workspace = judged ? options.workspace : openWorkspace(place)
    return new Agent({ ...options, tools, workspace, environment: this.environment })
  }
}

function requestOf({ request, number }: Exchange): WireRequest {
  if (request === undefined) throw new Error(`Request ${number} was not well formed.`)
  return request
}
