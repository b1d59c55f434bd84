import type { Signal } from '@loader/session-core'
import type { Tool, ToolServer, ToolSource } from '@loader/session-core/coding'
import type { LoginStore } from '../auth/token-store.ts'
import type { ServerDefinition } from '../config/definition.ts'
import { findTools, findToolsName } from '../tools/find-tools.ts'
import { namesOf } from '../tools/names.ts'
import { type ListedTool, toolOf } from '../tools/tool-of.ts'
import { type ListedPrompt, type ListedResource, Server } from './server.ts'
import { type ServerPlace, startServer } from './start-server.ts'

/** The servers, and what connecting to them needs: a place for their programs, logins, variables. */
export interface McpOptions {
  /** With the variables of the user in place. Those that say why they are inert are told and not started. */
  readonly servers: readonly ServerDefinition[]
  readonly place: ServerPlace
  /** Where logins are kept; absent: nowhere, so that there are none. */
  readonly logins?: LoginStore
  /** The environment of the user. Absent means an empty one. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** Names that the agent's own tools answer to. */
  readonly reserved?: readonly string[]
  /** What the program calls itself to servers. */
  readonly version?: string
  /** The size of all definitions above which tools are offered by search. Absent means 24 KiB. */
  readonly offerBytes?: number
  /** How long the first task waits for servers. Absent means 30 seconds. */
  readonly waitMs?: number
}

const usualOfferBytes = 24 * 1024
const usualWaitMs = 30_000
const noLogins: LoginStore = { read: () => undefined, write: () => undefined }

/** MCP servers as a source of tools, with their resources and prompts. They are connected in the background. */
export class McpServers implements ToolSource, AsyncDisposable {
  readonly #options: McpOptions
  readonly #servers: readonly Server[]
  readonly #inert: readonly ToolServer[]
  #isChanged = true
  #tools: readonly Tool[] = []
  #records: readonly ToolServer[] = []
  #isClosed = false

  constructor(options: McpOptions) {
    this.#options = options
    const { logins = noLogins, variables = {}, place, version = '0' } = options
    const ports = {
      logins,
      variables,
      version,
      root: place.root,
      start: (name: string, server: ServerDefinition['server']) => startServer(name, server, place),
      onChange: () => void (this.#isChanged = true),
    }
    this.#servers = options.servers
      .filter(({ inert }) => inert === undefined)
      .map(({ name, server }) => new Server(name, server, ports))
    this.#inert = options.servers.flatMap(({ name, server: { url }, inert }) =>
      inert === undefined
        ? []
        : [{ name, state: 'inert' as const, transport: url === undefined ? 'stdio' : 'http', why: inert }],
    )
  }

  /** Begins to connect. Only the first task waits for it. */
  connect(): void {
    for (const server of this.#servers) void server.connect()
  }

  /** Resolves when every server is connected or is not going to be. */
  async connected(signal?: Signal): Promise<void> {
    await within(Promise.all(this.#servers.map((server) => server.connect())), this.#waitMs, signal)
  }

  get tools(): readonly Tool[] {
    this.#update()
    return this.#tools
  }

  get servers(): readonly ToolServer[] {
    this.#update()
    return this.#records
  }

  get prompts(): readonly ListedPrompt[] {
    return this.#servers.flatMap(({ prompts }) => prompts)
  }

  get resources(): readonly ListedResource[] {
    return this.#servers.flatMap(({ resources }) => resources)
  }

  /** The tools as their servers describe them, for people. */
  get listed(): readonly ListedTool[] {
    return this.#servers.flatMap(({ tools }) => tools)
  }

  server(name: string): Server | undefined {
    return this.#servers.find((one) => one.name === name)
  }

  async refresh({ signal }: { readonly signal?: Signal } = {}): Promise<void> {
    if (this.#isClosed) return
    await within(Promise.all(this.#servers.map((server) => server.refresh())), this.#waitMs, signal)
  }

  /** Tokens of logins, which are renewed while a server is used. */
  secrets(): readonly string[] {
    return this.#servers.flatMap((server) => server.secrets())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#servers.map((server) => server.close()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #waitMs(): number {
    return this.#options.waitMs ?? usualWaitMs
  }

  /** The lists stay the same objects until something in them changes. */
  #update(): void {
    if (!this.#isChanged) return
    this.#isChanged = false
    const listed = this.listed
    if (!sameTools(listed, this.#listed)) {
      this.#listed = listed
      this.#tools = this.#toolsOf(listed)
    }
    const records = [...this.#servers.map(({ record }) => record), ...this.#inert]
    if (JSON.stringify(records) !== JSON.stringify(this.#records)) this.#records = records
  }

  #listed: readonly ListedTool[] = []

  #toolsOf(listed: readonly ListedTool[]): readonly Tool[] {
    const { reserved = [], offerBytes = usualOfferBytes } = this.#options
    const names = namesOf(
      listed.map(({ server, name }) => ({ server, tool: name })),
      [...reserved, findToolsName],
    )
    const toolsFor = (isMany: boolean) =>
      listed.map((tool, index) =>
        toolOf(
          tool,
          names[index] ?? tool.name,
          (called, input, context) => this.#serverOf(called).call(called, input, context),
          isMany,
        ),
      )
    const all = toolsFor(false)
    if (sizeOf(all) <= offerBytes) return all
    const tools = toolsFor(true)
    return [findTools(tools, [...new Set(listed.map(({ server }) => server))]), ...tools] as readonly Tool[]
  }

  #serverOf({ server: name }: ListedTool): Server {
    const server = this.server(name)
    if (server === undefined) throw new Error(`There is no server ${name}.`)
    return server
  }
}

function sameTools(one: readonly ListedTool[], other: readonly ListedTool[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ definition, server, name, readOnly }, index) => {
      const same = other[index]
      return (
        definition === same?.definition && server === same.server && name === same.name && readOnly === same.readOnly
      )
    })
  )
}

/** What the definitions take of each request. */
function sizeOf(tools: readonly Tool[]): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) => sum + JSON.stringify([name, description, inputSchema]).length,
    0,
  )
}

/** Waits for work, but not longer than this, and not after the signal. */
async function within(work: Promise<unknown>, milliseconds: number, signal: Signal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
    stop = resolve
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', stop)
  })
  try {
    await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
