/// <reference lib="esnext.disposable" preserve="true" />
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as passed } from 'node:timers/promises'
import type { FileSessionStore } from '@loader/session-fs'
import { stateFolderOf, storeIn } from '../../written/store-in.ts'
import { type TemporaryWorkspace, temporaryWorkspace } from '@loader/test-harness'
import { type WireScriptLine, type WireServer, wireServer } from '@loader/test-harness/wire'
import { builtLoader } from '../../e2e/stage/built-loader.ts'
import { widthOf } from '../../../src/screen/width.ts'

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

const patienceMs = 120_000
const lookEveryMs = 30
let talks = 0
/** Lines that the terminal keeps. */
const longest = 20_000
const extents = { visible: [], all: ['-S', '-2000'], whole: ['-S', `-${longest}`] } as const

export interface TmuxTalkOptions {
  readonly columns: number
  readonly rows?: number
  readonly lines: readonly WireScriptLine[]
  readonly files?: Readonly<Record<string, string>>
}

/** A shell in a real terminal, in a project of its own, in front of a model that says what is written here. */
export class TmuxTalk implements AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  readonly server: WireServer
  readonly #columns: number
  readonly #socket: string

  private constructor(workspace: TemporaryWorkspace, server: WireServer, { columns, rows = 40 }: TmuxTalkOptions) {
    this.workspace = workspace
    this.server = server
    this.#columns = columns
    talks += 1
    this.#socket = `loader-test-${process.pid}-${talks}`
    const size = ['-x', String(columns), '-y', String(rows)]
    const environment = Object.entries({
      LOADER_STATE: stateFolderOf(workspace.root),
      LOADER_CONFIG_DIR: workspace.path('config'),
      XDG_CACHE_HOME: `${stateFolderOf(workspace.root)}/cache`,
      LOADER_WALLS: 'off',
      OLLAMA_HOST: server.url,
      LANG: 'C.UTF-8',
    }).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    this.#tmux(
      '-f',
      '/dev/null',
      'start-server',
      ';',
      'set-option',
      '-g',
      'history-limit',
      String(longest),
      ';',
      'new-session',
      '-d',
      ...size,
      '-c',
      workspace.root,
      ...environment,
      'exec env -u CI -u NO_COLOR bash --norc --noprofile',
    )
    this.#tmux('set-option', '-g', 'status', 'off')
    // Bash sets its own prompt when it starts.
    this.say("PS1='$ '")
  }

  static async begin(options: TmuxTalkOptions): Promise<TmuxTalk> {
    const files = { '.git/HEAD': 'ref: refs/heads/main\n', ...options.files }
    return new TmuxTalk(await temporaryWorkspace({ files }), await wireServer({ lines: options.lines }), options)
  }

  get store(): FileSessionStore {
    return storeIn(this.workspace.root)
  }

  /** Starts the command, and leaves the number of its process where it can be found. */
  start(...words: readonly string[]): void {
    this.startAfter('clear', ...words)
  }

  /** The same, after another command of the shell. */
  startAfter(command: string, ...words: readonly string[]): void {
    this.#run(command, ['-m', 'ollama/scripted', ...words])
  }

  /** Starts the command with these words and nothing else, as somebody does who has told no model. */
  startBare(...words: readonly string[]): void {
    this.#run('clear', words)
  }

  #run(command: string, words: readonly string[]): void {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const node = `'${process.execPath}' '${builtLoader()}'`
    this.say(`${command}; sh -c 'echo $$ > pid; exec "$@"' - ${node} ${quoted}`)
  }

  /** Kills the command, which can do nothing about that. */
  kill(): void {
    process.kill(this.#pid, 'SIGKILL')
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text)
  }

  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys)
  }

  /** As a terminal sends it, byte by byte. */
  send(bytes: string): void {
    const hex = [...Buffer.from(bytes)].map((byte) => byte.toString(16).padStart(2, '0'))
    this.#tmux('send-keys', '-H', ...hex)
  }

  /** Keeps what is written to the terminal from now on, byte by byte. */
  record(file: string): void {
    this.#tmux('pipe-pane', '-o', `cat >> '${file}'`)
  }

  /** Sets the colours of the terminal, which it tells programs that ask. */
  colours(style: string): void {
    this.#tmux('set-option', '-g', 'window-style', style)
  }

  say(text: string): void {
    this.type(text)
    this.press('Enter')
  }

  /** As a terminal pastes: in one piece, and marked. */
  paste(text: string): void {
    execFileSync('tmux', ['-L', this.#socket, 'load-buffer', '-'], { input: text })
    this.#tmux('paste-buffer', '-p', '-r')
  }

  resize(columns: number, rows = 40): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  /** The title of the window. */
  get title(): string {
    return this.#tmux('display-message', '-p', '#{pane_title}').trim()
  }

  /** What stands in the terminal, and what has left it at the top; lines that the terminal broke are joined. */
  screen(extent: keyof typeof extents = 'all', colours: 'plain' | 'coloured' = 'plain'): string {
    const more = [...extents[extent], ...(colours === 'coloured' ? ['-e'] : [])]
    return this.#tmux('capture-pane', '-p', '-J', ...more)
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd()
  }

  /** Waits until the screen is as it should be, and returns it. */
  async see(
    expected: string | RegExp | ((screen: string) => boolean),
    extent: keyof typeof extents = 'all',
  ): Promise<string> {
    const until = Date.now() + patienceMs
    for (;;) {
      const screen = this.screen(extent)
      if (fits(screen, expected)) return screen
      if (Date.now() > until) throw new Error(`${String(expected)} was not seen in\n${screen}`)
      await passed(lookEveryMs)
    }
  }

  /** Lines that did not fit, so that the terminal broke them, and what should have been obeyed instead of shown. */
  faults(columns = this.#columns): string[] {
    return this.screen()
      .split('\n')
      .slice(1)
      .filter((line) => widthOf(line) > columns || /(?<!\\x1b)\[\??\d+(?:;\d+)*[A-Za-z]/.test(line))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tmux('kill-server')
    await this.#gone()
    await this.server.close()
    await this.workspace[Symbol.asyncDispose]()
  }

  get #pid(): number {
    return Number(readFileSync(this.workspace.path('pid'), 'utf8'))
  }

  /** The command ends with its terminal; what it still writes is waited for. */
  async #gone(): Promise<void> {
    if (!existsSync(this.workspace.path('pid'))) return
    while (/^[^Z\s]/.test(stateOf(this.#pid))) await passed(lookEveryMs)
  }

  #tmux(...words: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...words], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  }
}

function fits(screen: string, expected: string | RegExp | ((screen: string) => boolean)): boolean {
  if (typeof expected === 'string') return screen.includes(expected)
  return typeof expected === 'function' ? expected(screen) : expected.test(screen)
}

/** As `ps` tells it: Z when the process has ended and nobody has asked for its end yet; empty when it is not there. */
function stateOf(pid: number): string {
  return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}
