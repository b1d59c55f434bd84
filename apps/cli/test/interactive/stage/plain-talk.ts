/// <reference lib="esnext.disposable" preserve="true" />
import { PassThrough } from 'node:stream'
import type { FileSessionStore } from '@loader/session-fs'
import { stateFolderOf, storeIn } from '../../written/store-in.ts'
import { type TemporaryWorkspace, temporaryWorkspace } from '@loader/test-harness'
import { type WireScriptLine, type WireServer, wireServer } from '@loader/test-harness/wire'
import { start } from '../../../src/start.ts'

export interface PlainTalkOptions {
  readonly lines: readonly WireScriptLine[]
  /** The key that the server wants, and the variables of a machine that has its models, by the address of the server. */
  readonly machine?: { readonly key?: string; readonly variables: (url: string) => Readonly<Record<string, string>> }
  readonly words?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  /** The model of the command line; null: none. */
  readonly model?: string | null
  /** Where an earlier talk took place. */
  readonly workspace?: TemporaryWorkspace
}

/** Somebody at a terminal that knows no more than lines, in front of a model that says what is written here. */
export class PlainTalk implements AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  readonly server: WireServer
  readonly ended: Promise<number>
  readonly #stdin = new PassThrough()
  readonly #owns: boolean
  #output = ''
  #heard = 0
  #changed: () => void = () => undefined

  private constructor(
    workspace: TemporaryWorkspace,
    server: WireServer,
    owns: boolean,
    words: readonly string[],
    variables: Readonly<Record<string, string>>,
  ) {
    this.workspace = workspace
    this.server = server
    this.#owns = owns
    const stdout = new PassThrough()
    stdout.setEncoding('utf8')
    stdout.on('data', (text: string) => {
      this.#output += text
      this.#changed()
    })
    this.ended = start(words, {
      stdin: Object.assign(this.#stdin, { isTTY: true }),
      stdout: Object.assign(stdout, { isTTY: true, columns: 70 }),
      stderr: Object.assign(stdout, { isTTY: true }),
      environment: {
        TERM: 'dumb',
        NO_COLOR: '1',
        OLLAMA_HOST: server.url,
        LOADER_STATE: stateFolderOf(workspace.root),
        LOADER_CONFIG_DIR: workspace.path('config'),
        XDG_CACHE_HOME: `${stateFolderOf(workspace.root)}/cache`,
        LOADER_WALLS: 'off',
        ...variables,
      },
      folder: workspace.root,
      version: '0.0.0',
    })
  }

  static async begin({
    lines,
    words = [],
    files = {},
    model = 'ollama/scripted',
    workspace,
    machine = { variables: () => ({}) },
  }: PlainTalkOptions): Promise<PlainTalk> {
    const place =
      workspace ?? (await temporaryWorkspace({ files: { '.git/HEAD': 'ref: refs/heads/main\n', ...files } }))
    const all = model === null ? words : ['-m', model, ...words]
    const server = await wireServer({ lines, ...(machine.key !== undefined && { key: machine.key }) })
    return new PlainTalk(place, server, workspace === undefined, all, machine.variables(server.url))
  }

  /** Everything that was printed so far. */
  get output(): string {
    return this.#output
  }

  get store(): FileSessionStore {
    return storeIn(this.workspace.root)
  }

  say(line: string): void {
    this.#stdin.write(`${line}\n`)
  }

  hangUp(): void {
    this.#stdin.end()
  }

  /** Waits until this is printed behind what was heard last, and returns all up to there. */
  async hear(text: string): Promise<string> {
    for (;;) {
      const place = this.#output.indexOf(text, this.#heard)
      if (place >= 0) {
        const heard = this.#output.slice(this.#heard, place + text.length)
        this.#heard = place + text.length
        return heard
      }
      await new Promise<void>((resolve, reject) => {
        const silence = setTimeout(
          () =>
            reject(new Error(`${JSON.stringify(text)} was not said. Since then:\n${this.#output.slice(this.#heard)}`)),
          120_000,
        )
        this.#changed = () => {
          clearTimeout(silence)
          resolve()
        }
      })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp()
    await this.ended
    await this.server.close()
    if (this.#owns) await this.workspace[Symbol.asyncDispose]()
  }
}
