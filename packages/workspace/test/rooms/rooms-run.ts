import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RoomCommand, RoomOf, RoomCommandRun } from '@loader/workspace'

export interface RoomsWorld {
  readonly root: string
  readonly state: string
  readonly variables: Readonly<Record<string, string>>
  readonly bubblewrap?: null
  /** The PATH of the process itself. */
  readonly path?: string
}

export type RoomsRequest =
  | { readonly ask: 'open'; readonly world: RoomsWorld }
  | { readonly ask: 'take' }
  | { readonly ask: 'keep' }
  | {
      readonly ask: 'run'
      readonly room: Omit<RoomOf, 'over'> & { readonly over?: readonly (readonly [string, string | null])[] }
      readonly command: Partial<Pick<RoomCommand, 'cwd' | 'timeoutMs' | 'runners' | 'variables'>> & {
        readonly command: string
      }
    }
  | { readonly ask: 'cancel' }
  | { readonly ask: 'close' }

/** All but what needs no answer. */
export type Asked = Exclude<RoomsRequest, { readonly ask: 'cancel' }>

export interface ToldRun extends Pick<RoomCommandRun, 'how' | 'ending' | 'withheld'> {
  readonly output: string
  readonly walls: string
  readonly reports: readonly string[]
}

export type RoomsAnswer =
  | { readonly of: 'failed'; readonly ticket: number; readonly why: string }
  | { readonly of: 'output'; readonly chunk: string }
  | ({ readonly of: 'open' | 'take' | 'keep' | 'run' | 'close'; readonly ticket: number } & Partial<
      ToldRun & { readonly id: string }
    >)

/** A process that runs commands in rooms, one after the other. */
export class RoomsProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #printed = ''
  #asked = 0

  /** With the rights of this user; 0 stands for those of the tests. Modules can be loaded before all others. */
  constructor(
    uid: number,
    {
      preload = [],
      variables = {},
    }: { readonly preload?: readonly string[]; readonly variables?: Readonly<Record<string, string>> } = {},
  ) {
    this.#child = fork(fileURLToPath(new URL('../children/rooms.ts', import.meta.url)), [`${uid}`], {
      execArgv: ['--conditions=@loader/source', '--no-warnings', ...preload.flatMap((path) => ['--import', path])],
      env: { ...process.env, ...variables },
    })
    this.#exited = once(this.#child, 'exit')
    this.#child.on('message', (answer: RoomsAnswer) => {
      if (answer.of === 'output') this.#printed += answer.chunk
    })
  }

  async open(world: RoomsWorld): Promise<void> {
    await this.#ask({ ask: 'open', world })
  }

  async take(): Promise<string> {
    return (await this.#ask({ ask: 'take' })).id ?? ''
  }

  async keep(): Promise<string> {
    return (await this.#ask({ ask: 'keep' })).id ?? ''
  }

  async run(request: Omit<RoomsRequest & { readonly ask: 'run' }, 'ask'>): Promise<ToldRun> {
    this.#printed = ''
    const { how, ending, output, withheld, walls, reports } = await this.#ask({ ask: 'run', ...request })
    if (!how || !ending || output === undefined || !withheld || walls === undefined || !reports)
      throw new Error('the answer is not whole')
    return { how, ending, output, withheld, walls, reports }
  }

  /** What the command that is running has printed so far. */
  get printed(): string {
    return this.#printed
  }

  cancel(): void {
    this.#child.send({ ask: 'cancel' } satisfies RoomsRequest)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Rejects when the process has died. */
  #ask(request: Asked): Promise<Partial<ToldRun & { readonly id: string }>> {
    return new Promise((resolve, reject) => {
      const onDeath = (_code: unknown, signal: unknown) => reject(new Error(`the process has ended: ${String(signal)}`))
      const ticket = (this.#asked += 1)
      const onAnswer = (answer: RoomsAnswer) => {
        if (answer.of === 'output' || answer.ticket !== ticket) return
        this.#child.off('message', onAnswer)
        this.#child.off('exit', onDeath)
        if (answer.of === 'failed') reject(new Error(answer.why))
        else resolve(answer)
      }
      this.#child.on('message', onAnswer)
      this.#child.once('exit', onDeath)
      this.#child.send({ ...request, ticket })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    await this.#ask({ ask: 'close' })
    this.#child.disconnect()
    await this.#exited
  }
}
