import {
  Client,
  type ElicitRequestFormParams,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { JsonObject, Signal } from '@loader/session-core'
import type { ToolContext, ToolResult, ToolServer } from '@loader/session-core/coding'
import type { StayingProcess } from '@loader/workspace'
import { authFor, LoginNeeded } from '../auth/oauth-provider.ts'
import { type LoginStore, secretsOf } from '../auth/token-store.ts'
import { digestOfServer, shortDigest, shownUrl } from '../config/definition.ts'
import type { McpServer } from '../config/server-settings.ts'
import { elicit } from '../tools/elicitation.ts'
import { isNamed } from '../tools/patterns.ts'
import { resultOf } from '../tools/result.ts'
import { told } from '../tools/told-text.ts'
import type { ListedTool } from '../tools/tool-of.ts'
import { anySchema } from '../transport/any-schema.ts'
import { type DescribedTool, listTools } from './list-tools.ts'
import { held } from '../transport/held-transport.ts'
import { limitedFetch } from '../transport/limited-fetch.ts'
import { ProcessTransport } from '../transport/process-transport.ts'

/** A prompt that a server offers. */
export interface ListedPrompt {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[]
}

/** A resource that a server offers. */
export interface ListedResource {
  readonly server: string
  readonly uri: string
  readonly name: string
}

/** What the connection to one server needs. */
export interface ServerPorts {
  /** Starts the program of a server in its walls; a text says why that is not possible. */
  start(name: string, server: McpServer): Promise<{ readonly process: StayingProcess; readonly walls: string } | string>
  readonly logins: LoginStore
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The folder of the project, which programs on this machine are told. */
  readonly root: string
  readonly version: string
  /** Something has changed: the state of the server, or what it offers. */
  onChange(): void
}

/** The first start and one restart. A server that ends again counts as broken. */
const mostStarts = 2
const connectMs = 30_000
const usualCallSeconds = 300
/** Signs of progress keep a call alive, but not for ever. */
const longestCallMs = 60 * 60 * 1000
const mostTools = 400
const mostListed = 1_000

interface Asking {
  readonly ask: ToolContext['ask']
  readonly notes: string[]
}

/** One server: connected or not, what it offers, and calls of its tools. */
export class Server {
  readonly name: string
  readonly settings: McpServer
  tools: readonly ListedTool[] = []
  prompts: readonly ListedPrompt[] = []
  resources: readonly ListedResource[] = []
  readonly #ports: ServerPorts
  #client: Client | undefined
  #state: ToolServer['state'] = 'failed'
  #why: string | undefined = 'it is not connected yet'
  #walls: string | undefined
  #version: string | undefined
  #starts = 0
  #fault: string | undefined
  #isClosed = false
  /** The lists of which the server has announced a change. */
  readonly #announced = new Set<'tools' | 'prompts' | 'resources'>()
  /** The running call, through which the server can ask the user. */
  readonly #asking: Asking[] = []
  #connecting: Promise<void> | undefined
  /** Of the connection that is being made. */
  #opening: Transport | undefined

  constructor(name: string, settings: McpServer, ports: ServerPorts) {
    this.name = name
    this.settings = settings
    this.#ports = ports
  }

  /** For the record. */
  get record(): ToolServer {
    const { url, reach = 'work' } = this.settings
    return {
      name: this.name,
      state: this.#state,
      transport: url === undefined ? 'stdio' : 'http',
      ...(this.#version !== undefined && { version: this.#version }),
      ...(this.#state === 'connected' && { tools: this.tools.length }),
      ...(this.#starts > 1 && { starts: this.#starts }),
      ...(url === undefined && { reach }),
      ...(this.#walls !== undefined && { walls: this.#walls }),
      ...(this.#why !== undefined && { why: this.#why }),
    }
  }

  /** What it was given to show who asks. */
  secrets(): readonly string[] {
    return this.settings.url === undefined ? [] : secretsOf(this.#ports.logins.read(this.name))
  }

  /** Connects, unless it is connected, closed or broken. An error becomes its state. */
  connect(): Promise<void> {
    if (this.#connecting !== undefined) return this.#connecting
    if (this.#isClosed || this.#client !== undefined || this.#starts >= mostStarts) return Promise.resolve()
    const connecting = this.#open().finally(() => (this.#connecting = undefined))
    this.#connecting = connecting
    return connecting
  }

  /** Reads the lists whose change was announced, and restarts a server that has ended. */
  async refresh(): Promise<void> {
    if (this.#connecting !== undefined) return this.#connecting
    if (this.#starts === 0 || (this.#state === 'ended' && this.#starts < mostStarts)) return this.connect()
    if (this.#client === undefined || this.#announced.size === 0) return undefined
    const lists = [...this.#announced]
    this.#announced.clear()
    await this.#list(this.#client, lists).catch((error: unknown) => this.#fail(error))
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    await (client ?? this.#opening)?.close().catch(() => undefined)
    await this.#connecting?.catch(() => undefined)
  }

  /** Runs a call. If it throws, the outcome of the call is unknown. */
  async call(tool: ListedTool, input: JsonObject, context: ToolContext): Promise<ToolResult> {
    const client = this.#client
    if (client === undefined) return { outcome: 'failed', text: `${this.name} is not connected: ${this.#why ?? ''}` }
    const now = this.tools.find(({ name }) => name === tool.name)
    if (now?.definition !== tool.definition) {
      return {
        outcome: 'failed',
        text: `${tool.name} of ${this.name} has changed since. Look at it and call it again.`,
      }
    }
    const asking: Asking = { ask: async (question) => context.ask?.(question), notes: [] }
    this.#asking.push(asking)
    const seconds = this.settings.timeoutSeconds ?? usualCallSeconds
    try {
      const result = await client.callTool(
        { name: tool.name, arguments: input },
        {
          ...(context.signal && { signal: context.signal as AbortSignal }),
          timeout: seconds * 1000,
          maxTotalTimeout: Math.max(longestCallMs, seconds * 1000),
          resetTimeoutOnProgress: true,
          onprogress: ({ progress, total, message }) => context.onOutput?.(progressLine(progress, total, message)),
        },
      )
      return resultOf(result, context, asking.notes)
    } catch (error) {
      if (error instanceof ProtocolError)
        return { outcome: 'failed', text: told(`${this.name} says: ${error.message}`, 4000) }
      if (error instanceof UnauthorizedError || isLoginNeeded(error)) {
        return { outcome: 'failed', text: `Nothing was done: ${loginAdvice(this.name)}` }
      }
      if (isForgotten(error, client)) {
        this.#broke(`it does not know the connection any more (HTTP ${error.status})`)
        await client.close().catch(() => undefined)
      }
      throw new Error(this.#whyUnknown(error, seconds, context.signal), { cause: error })
    } finally {
      this.#asking.splice(this.#asking.indexOf(asking), 1)
    }
  }

  /** The parts of a resource: texts, and what is no text by its kind and size. */
  async read(uri: string, signal?: Signal) {
    const { contents } = await this.#connected().readResource({ uri }, optionsFor(signal))
    return contents
  }

  async prompt(name: string, given: Readonly<Record<string, string>>, signal?: Signal) {
    const { messages } = await this.#connected().getPrompt({ name, arguments: { ...given } }, optionsFor(signal))
    return messages
  }

  #connected(): Client {
    if (this.#client !== undefined) return this.#client
    throw new Error(`${this.name} is not connected: ${this.#why ?? 'it has ended'}`)
  }

  #whyUnknown(error: unknown, seconds: number, signal: Signal | undefined): string {
    if (signal?.aborted) return 'the call was cancelled, and what it had done by then is not known'
    if (this.#fault !== undefined) return `the connection was closed: ${this.#fault}`
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return `no answer within ${seconds} s`
    if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
      return `its answer could not be read: what ${this.name} sent is no result as the protocol has them`
    if (this.#state === 'ended') return `${this.name} ended during the call${this.#why ? ` (${this.#why})` : ''}`
    return told(messagesOf(error).join(': '), 1000)
  }

  async #open(): Promise<void> {
    this.#starts += 1
    this.#fault = undefined
    let program: StayingProcess | undefined
    try {
      const { transport, process } = await this.#transport()
      program = process
      if (this.#isClosed) return await transport.close()
      this.#opening = transport
      const client = this.#newClient()
      client.onclose = () => this.#ended(client, process)
      client.onerror = () => undefined
      await client.connect(
        held(transport, (why) => this.#broke(why)),
        { timeout: connectMs },
      )
      if (this.#isClosed) return await client.close()
      this.#client = client
      const { name = '', version = '' } = client.getServerVersion() ?? {}
      this.#version = told(`${name} ${version}`, 100)
      await this.#list(client, ['tools', 'prompts', 'resources'])
      if (this.#client !== client) return
      this.#state = 'connected'
      this.#why = this.#leftOut
      this.#ports.onChange()
    } catch (error) {
      const isOver = program !== undefined && error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
      await this.#fail(isOver ? new Error(await endOf(program)) : error)
    } finally {
      this.#opening = undefined
    }
  }

  #newClient(): Client {
    const { url } = this.settings
    const client = new Client(
      { name: 'loader', version: this.#ports.version },
      {
        capabilities: { elicitation: { form: { applyDefaults: true } }, ...(url === undefined && { roots: {} }) },
        jsonSchemaValidator: anySchema,
      },
    )
    if (url === undefined) {
      const { href } = new URL(`file://${this.#ports.root.split('/').map(encodeURIComponent).join('/')}`)
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: href, name: 'project' }] }))
    }
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const asking = this.#asking.at(-1)
      if (params.mode === 'url') return { action: 'decline' }
      const { result, note } = await elicit(this.name, params as ElicitRequestFormParams, asking?.ask)
      asking?.notes.push(note)
      return result
    })
    for (const list of ['tools', 'prompts', 'resources'] as const) {
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => {
        this.#announced.add(list)
        this.#ports.onChange()
      })
    }
    return client
  }

  async #transport(): Promise<{ readonly transport: Transport; readonly process?: StayingProcess }> {
    const { url, headers } = this.settings
    if (url === undefined) {
      const started = await this.#ports.start(this.name, this.settings)
      if (typeof started === 'string') throw new Error(started)
      this.#walls = started.walls
      const { process } = started
      return { transport: new ProcessTransport(process, (why) => this.#broke(why)), process }
    }
    const { logins, variables } = this.#ports
    const { name, settings: server } = this
    const hasOwnKey = Object.keys(headers ?? {}).some((header) => header.toLowerCase() === 'authorization')
    const transport = new StreamableHTTPClientTransport(httpAddress(url), {
      ...(headers && { requestInit: { headers } }),
      ...(!hasOwnKey && { authProvider: authFor({ name, server, store: logins, variables }) }),
      fetch: limitedFetch((why) => {
        this.#broke(why)
        void transport.close().catch(() => undefined)
      }),
    })
    return { transport }
  }

  #leftOut: string | undefined

  async #list(client: Client, lists: readonly ('tools' | 'prompts' | 'resources')[]): Promise<void> {
    const capabilities = client.getServerCapabilities() ?? {}
    const options = { timeout: connectMs, cacheMode: 'refresh' as const }
    if (lists.includes('tools') && capabilities.tools !== undefined) {
      this.tools = this.#taken(await listTools(client, mostTools, connectMs))
    }
    // Without its prompts and resources, the server still has its tools.
    if (lists.includes('prompts') && capabilities.prompts !== undefined) {
      const { prompts } = await client.listPrompts(undefined, options).catch(() => ({ prompts: [] }))
      this.prompts = prompts.slice(0, mostListed).map(({ name, description = '', arguments: given = [] }) => ({
        server: this.name,
        name,
        description: told(description, 300),
        arguments: given.map((one) => ({ name: one.name, required: one.required === true })),
      }))
    }
    if (lists.includes('resources') && capabilities.resources !== undefined) {
      const { resources } = await client.listResources(undefined, options).catch(() => ({ resources: [] }))
      this.resources = resources.slice(0, mostListed).map(({ uri, name }) => ({ server: this.name, uri, name }))
    }
    this.#ports.onChange()
  }

  #taken(all: readonly DescribedTool[]): readonly ListedTool[] {
    const { tools: wanted, readOnly = [] } = this.settings
    const byName = new Map(all.map((tool) => [tool.name, tool]))
    const offered = [...byName.values()].filter(({ name }) => wanted === undefined || isNamed(name, wanted))
    const twice = all.length - byName.size
    const notes = [
      ...(offered.length > mostTools ? [`${offered.length - mostTools} of its tools are left out`] : []),
      ...(twice > 0 ? [`it names ${twice} tools twice`] : []),
    ]
    this.#leftOut = notes.length === 0 ? undefined : notes.join('; ')
    if (this.#state === 'connected') this.#why = this.#leftOut
    const server = digestOfServer(this.settings)
    return offered.slice(0, mostTools).map(({ name, description, inputSchema, annotations }) => ({
      server: this.name,
      name,
      description,
      inputSchema,
      hints: hintsOf(annotations),
      definition: shortDigest([server, name, description, inputSchema]),
      readOnly: isNamed(name, readOnly),
    }))
  }

  /** What the server did breaks the connection. */
  #broke(why: string): void {
    this.#fault ??= why
  }

  #ended(client: Client, process: StayingProcess | undefined): void {
    if (this.#client !== client) return
    this.#client = undefined
    if (this.#isClosed) return
    this.#state = 'ended'
    this.#why = this.#fault ?? complaintOf(process)
    this.tools = this.#starts < mostStarts ? this.tools : []
    this.#ports.onChange()
  }

  async #fail(error: unknown): Promise<void> {
    const client = this.#client
    this.#client = undefined
    this.#state = 'failed'
    this.#why = this.#fault ?? whyFailed(error, this.name)
    this.tools = []
    await client?.close().catch(() => undefined)
    this.#ports.onChange()
  }
}

function httpAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new Error(`${shownUrl(text)} is no address of HTTP`)
}

function loginAdvice(name: string): string {
  return `it wants you to log in: loader mcp login ${name}`
}

function whyFailed(error: unknown, name: string): string {
  if (error instanceof UnauthorizedError || isLoginNeeded(error)) return loginAdvice(name)
  return told(messagesOf(error).join(': '), 500)
}

/** Whether a server at an address has lost the session that it gave: some say 404, as the protocol has it, some 400. */
function isForgotten(error: unknown, { transport }: Client): error is SdkHttpError {
  return error instanceof SdkHttpError && [400, 404].includes(error.status) && transport?.sessionId !== undefined
}

function isLoginNeeded(error: unknown): boolean {
  return (
    error instanceof LoginNeeded || (error instanceof Error && error.cause !== undefined && isLoginNeeded(error.cause))
  )
}

/** A failed fetch says what failed in its cause alone, and a refusal may come without a text. */
function messagesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)]
  if (error instanceof SdkHttpError) return [`HTTP ${error.status}`, error.message]
  const { message, cause } = error
  return cause instanceof Error && !message.includes(cause.message) ? [message, ...messagesOf(cause)] : [message]
}

function complaintOf(process: StayingProcess | undefined): string {
  const lines = process?.complaints.split('\n') ?? []
  const last = lines.findLast((line) => line.trim() !== '')
  return last === undefined ? 'it ended' : told(last, 300)
}

/** How the program of a server ended. */
async function endOf(process: StayingProcess | undefined): Promise<string> {
  const { exitCode = null } = (await process?.ended) ?? {}
  const said = process?.complaints ?? ''
  const how = exitCode === null ? 'its program was ended' : `its program ended with exit code ${exitCode}`
  return said === '' ? how : `${how}: ${complaintOf(process)}`
}

function hintsOf(annotations: DescribedTool['annotations']): readonly string[] {
  return [
    ...(annotations['readOnlyHint'] === true ? ['read-only'] : []),
    ...(annotations['destructiveHint'] === true ? ['destructive'] : []),
    ...(annotations['openWorldHint'] === true ? ['open world'] : []),
  ]
}

function progressLine(progress: number, total: number | undefined, message: string | undefined): string {
  const share =
    total === undefined || total <= 0 ? `${progress}` : `${Math.min(100, Math.round((progress / total) * 100))} %`
  return `${share}${message === undefined ? '' : ` ${told(message, 200)}`}\n`
}

function optionsFor(signal: Signal | undefined) {
  return { timeout: connectMs, ...(signal && { signal: signal as AbortSignal }) }
}
