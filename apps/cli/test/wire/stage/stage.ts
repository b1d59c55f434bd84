import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSession, type History, type SessionState } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { type TemporaryWorkspace, temporaryWorkspace } from '@loader/test-harness'
import { type WireScriptSource, type WireServer, wireServer } from '@loader/test-harness/wire'
import type { Death } from './deaths.ts'
import { type Job, sessionId } from './job.ts'

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
}

/** The process that was started last. */
interface Last {
  process?: ChildProcess
  ended?: Promise<Ended>
}

const program = fileURLToPath(new URL('../children/agent.ts', import.meta.url))

/** A project, a strict server, and processes with an agent between them, of which the first may be killed. */
export class Stage implements AsyncDisposable {
  readonly server: WireServer
  readonly #workspace: TemporaryWorkspace
  readonly #last: Last

  private constructor(workspace: TemporaryWorkspace, server: WireServer, last: Last) {
    this.#workspace = workspace
    this.server = server
    this.#last = last
  }

  static async set(
    script: WireScriptSource,
    { files = {}, death }: { readonly files?: Readonly<Record<string, string>>; readonly death?: Death } = {},
  ): Promise<Stage> {
    const last: Last = {}
    const gone = async () => void (await last.ended)
    const kill = async () => {
      last.process?.kill('SIGKILL')
      await gone()
    }
    const workspace = await temporaryWorkspace({ files })
    mkdirSync(workspace.path('project'), { recursive: true })
    let [asked, chunks] = [0, 0]
    const server: WireServer = await wireServer({
      order: 'conversation',
      ...script,
      wait: async () => {
        chunks = asked === server.requests.length ? chunks + 1 : 1
        asked = server.requests.length
        const held = death?.by === 'itself' ? death.held : undefined
        if (held?.request === asked && chunks > held.chunks) await gone()
      },
      boundary: async (moment) => {
        if (death?.by !== 'server' || death.moment !== moment || death.request !== server.requests.length) return
        await kill()
        return 'drop'
      },
    })
    return new Stage(workspace, server, last)
  }

  get root(): string {
    return this.#workspace.root
  }

  get project(): string {
    return join(this.root, 'project')
  }

  /** One process, from its start to its end. */
  async live(job: Omit<Job, 'url' | 'root'>): Promise<Ended> {
    const whole: Job = { ...job, url: this.server.url, root: this.root }
    const args = [
      '--conditions=@loader/source',
      '--disable-warning=ExperimentalWarning',
      program,
      JSON.stringify(whole),
    ]
    const process = spawn(globalThis.process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    process.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    const ended = once(process, 'close').then(([code, signal]) => ({ code, signal, stderr }) as Ended)
    Object.assign(this.#last, { process, ended })
    return ended
  }

  session(): Promise<{ readonly state: SessionState; readonly history: History }> {
    return readSession(new FileSessionStore({ root: this.project }), sessionId)
  }

  files(): Promise<Record<string, string>> {
    return filesIn(this.#workspace)
  }

  /** What a process wrote down, in order. */
  notes(name: 'acknowledged' | 'effects'): readonly unknown[] {
    const file = join(this.root, `${name}.jsonl`)
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((text): unknown => JSON.parse(text))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#last.process?.kill('SIGKILL')
    await this.#last.ended
    await this.server.close()
    await this.#workspace.dispose()
  }
}

async function filesIn(workspace: TemporaryWorkspace): Promise<Record<string, string>> {
  const all = Object.entries(await workspace.files())
  const inProject = all.flatMap(([path, content]) => {
    const [folder, ...rest] = path.split('/')
    return folder === 'project' ? [[rest.join('/'), content] as const] : []
  })
  return Object.fromEntries(inProject)
}
