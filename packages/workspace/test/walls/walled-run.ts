import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Reach, WallsRecord } from '@loader/session-core/coding'
import type { FindWallsOptions, SetAside, WallsPlace } from '@loader/workspace'

export interface WalledRequest {
  readonly place: WallsPlace
  readonly reach: Reach
  readonly command: string
  readonly cwd?: string | undefined
  /** Afterwards the session is forgotten. */
  readonly forget?: boolean
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

export type WalledAnswer = WalledRun | { readonly failed: string }

/** A process that runs commands within walls, one after the other. */
export class Walled implements AsyncDisposable {
  readonly #child: ChildProcess

  /** With the rights of this user; 0 stands for those of the tests. */
  constructor(uid: number) {
    this.#child = fork(fileURLToPath(new URL('../children/walled.ts', import.meta.url)), [`${uid}`], {
      execArgv: ['--conditions=@loader/source', '--no-warnings'],
    })
  }

  run(request: WalledRequest): Promise<WalledRun> {
    return new Promise((resolve, reject) => {
      this.#child.once('message', (answer: WalledAnswer) => {
        if ('failed' in answer) reject(new Error(answer.failed))
        else resolve(answer)
      })
      this.#child.send(request)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.disconnect()
    await ended
  }
}
