import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RuntimeHandle, type RunOptions } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { type McpOptions, McpServers } from '@loader/mcp'
import type { McpServer } from '@loader/mcp/config'
import { fold, type History, isSessionEvent, MemoryStore, readSession, type SessionEvent } from '@loader/session-core'
import type { PermissionAnswer, PermissionMode, PermissionQuestion, PermissionRule } from '@loader/session-core/coding'
import { ScriptedBackend, type ScriptLine, type TemporaryWorkspace, temporaryWorkspace } from '@loader/test-harness'

const hostileFile = fileURLToPath(new URL('hostile-server.mjs', import.meta.url))

export interface TalkOptions extends Partial<Pick<McpOptions, 'offerBytes' | 'waitMs'>> {
  readonly lines: readonly ScriptLine[]
  readonly servers?: Readonly<Record<string, McpServer>>
  /** How the hostile server behaves, where no servers are given. */
  readonly mode?: string
  readonly more?: Partial<McpServer>
  readonly rules?: readonly PermissionRule[]
  readonly permissionMode?: PermissionMode
  readonly use?: 'off' | 'required'
}

/** An agent with a script for a model, and servers of tools. */
export class Talk implements AsyncDisposable {
  readonly asked: PermissionQuestion[] = []
  readonly backend: ScriptedBackend
  readonly workspace: TemporaryWorkspace
  readonly servers: McpServers
  readonly agent: RuntimeHandle
  answer: PermissionAnswer = { permit: 'allow', scope: 'once' }
  askUser: RunOptions['askUser']
  readonly #store = new MemoryStore()

  constructor(workspace: TemporaryWorkspace, { use = 'off', permissionMode, rules = [], ...options }: TalkOptions) {
    this.workspace = workspace
    this.backend = ScriptedBackend.from(options.lines)
    const folder = workspace.path('private')
    mkdirSync(folder)
    const hostile: McpServer = { command: process.execPath, args: [hostileFile, folder, options.mode ?? 'plain'] }
    const servers = options.servers ?? { evil: { ...hostile, writable: [folder], ...options.more } }
    const projectRoot = workspace.path('project')
    mkdirSync(projectRoot)
    this.servers = new McpServers({
      servers: Object.entries(servers).map(([name, server]) => ({ name, server, source: 'test' })),
      place: { root: projectRoot, scratch: workspace.path('scratch'), walls: { use, hidden: [] } },
      logins: { read: () => undefined, write: () => undefined },
      variables: process.env,
      reserved: ['bash', 'shell', 'sh'],
      version: '0',
      ...(options.offerBytes !== undefined && { offerBytes: options.offerBytes }),
      ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
    })
    this.agent = new RuntimeHandle(
      localOptions({
        backend: this.backend,
        projectRoot,
        store: this.#store,
        walls: { use: 'off' },
        toolSource: this.servers,
        rules: () => rules,
        config: {
          completionCheck: false,
          workflowMode: 'execute',
          ...(permissionMode !== undefined && { permissionMode }),
        },
      }),
    )
  }

  /** Does a task, and returns the events of the session so far. */
  async run(task: string, how: 'asked' | 'headless' = 'asked'): Promise<readonly SessionEvent[]> {
    const approver = {
      decide: async (question: PermissionQuestion) => {
        this.asked.push(question)
        return this.answer
      },
    }
    await this.agent.run(task, how === 'asked' ? { approver, ...(this.askUser && { askUser: this.askUser }) } : {})
    return this.events()
  }

  async events(): Promise<readonly SessionEvent[]> {
    return (await this.history()).filter(isSessionEvent)
  }

  /** Folding it again shows that the session is whole. */
  async history(): Promise<History> {
    const { history } = await readSession(this.#store, this.agent.session.id)
    fold(history)
    return history
  }

  /** What the hostile server has written down. */
  get log(): readonly string[] {
    const file = this.workspace.path('private/log')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close()
    await this.workspace.dispose()
  }
}

export async function talk(options: TalkOptions): Promise<Talk> {
  return new Talk(await temporaryWorkspace(), options)
}

/** How each call ended, by the name of its tool. */
export function outcomes(events: readonly SessionEvent[]): readonly string[] {
  const names = new Map<string, string>()
  return events.flatMap((event) => {
    if (event.type === 'model.answered') {
      for (const part of event.content) if (part.type === 'call') names.set(part.call.id, part.call.name)
    }
    return event.type === 'tool.finished' ? [`${names.get(event.callId)} ${event.outcome}`] : []
  })
}

export function resultTexts(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'tool.finished' ? [typeof event.text === 'string' ? event.text : event.text.excerpt] : [],
  )
}

export function permits(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'permission.decided' ? [event.permit] : []))
}
