import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Reach, WallsRecord } from '@loader/session-core/coding'
import type { FindWallsOptions, SetAside, WallsPlace } from '@loader/workspace'

export interface WalledRequest {
  readonly place: WallsPlace
  readonly reach: Reach
  readonly command: string
  readonly cwd?: string | undefined
  readonly options?: Pick<FindWallsOptions, 'bubblewrap' | 'walls'> | undefined
}

export interface WalledRun {
  readonly output: string
  readonly exitCode: number
  readonly setAside: readonly SetAside[]
  readonly layered: readonly string[]
  readonly walls: WallsRecord
  readonly secretsReplaced: number
}

export type WalledMessage = WalledRequest | { readonly forget: WallsPlace }
export type WalledAnswer = WalledRun | { readonly failed: string } | { readonly forgotten: true }

/** A process that runs commands within walls, one after the other. */
export class Walled implements AsyncDisposable {
  readonly #child: ChildProcess

  /** With the rights of this user; 0 stands for those of the tests. */
  constructor(uid: number) {
    this.#child = fork(fileURLToPath(new URL('../children/walled.ts', import.meta.url)), [`${uid}`], {
      execArgv: ['--conditions=@loader/source', '--no-warnings'],
    })
  }

  async run(request: WalledRequest): Promise<WalledRun> {
    const answer = await this.#ask(request)
    if ('output' in answer) return answer
    throw new Error('failed' in answer ? answer.failed : 'It forgot a session instead.')
  }

  async forget(place: WallsPlace): Promise<void> {
    const answer = await this.#ask({ forget: place })
    if ('failed' in answer) throw new Error(answer.failed)
  }

  #ask(message: WalledMessage): Promise<WalledAnswer> {
    return new Promise((resolve) => {
      this.#child.once('message', (answer: WalledAnswer) => resolve(answer))
      this.#child.send(message)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.disconnect()
    await ended
  }
}
