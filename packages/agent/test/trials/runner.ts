import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { JsonValue } from '@loader/session-core'
import type { PermissionMode, Permission, PermissionRule, Policy, Reach } from '@loader/session-core/coding'
import type { WallsSettings } from '@loader/workspace'

/** A workspace with its walls, as a process that decides and runs calls is told about it. */
export interface TrialPlace {
  readonly root: string
  readonly variables: Readonly<Record<string, string>>
  readonly scratch: string
  readonly caches: string
  readonly settings?: WallsSettings
}

export interface TrialRequest {
  readonly place: TrialPlace
  readonly tool: string
  readonly input: JsonValue
  readonly mode: PermissionMode
  readonly sessionId: string
  readonly rules?: readonly PermissionRule[]
  /** What a user says who is asked. Absent means nobody asked is ever answered with yes. */
  readonly answer?: 'allow'
}

/** A call that was decided and, where the decision lets it, run. */
export interface TrialAnswer {
  /** `invalid` is said of a call that the tool itself refuses. */
  readonly permit: Permission | 'invalid'
  readonly reason: string
  readonly reach?: Reach
  /** The rule that an answer to hold for its kind would stand for. */
  readonly wouldAllow?: PermissionRule
  readonly ran?: {
    readonly outcome: string
    readonly text: string
    readonly exitCode: JsonValue
    readonly walls: JsonValue
    readonly secretsReplaced: number
  }
}

export type TrialReply = TrialAnswer | { readonly state: NonNullable<Policy['walls']> } | { readonly failed: string }
export type TrialMessage = TrialRequest | { readonly stateOf: TrialPlace }

/** A process in which calls are decided and run as in the product, with the rights of some user. */
export class Runner implements AsyncDisposable {
  readonly #child: ChildProcess

  /** 0 stands for the user of the tests. */
  constructor(uid = 0) {
    this.#child = fork(fileURLToPath(new URL('runner-process.ts', import.meta.url)), [`${uid}`], {
      execArgv: ['--conditions=@loader/source', '--no-warnings'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
  }

  async run(request: TrialRequest): Promise<TrialAnswer> {
    const reply = await this.#ask(request)
    if ('permit' in reply) return reply
    if (!('failed' in reply)) throw new Error(JSON.stringify(reply))
    // As in a session: what became of the call is not known.
    const ran = { outcome: 'unknown', text: reply.failed, exitCode: null, walls: null, secretsReplaced: 0 }
    return { permit: 'allow', reason: 'it failed while it ran', ran }
  }

  async stateOf(place: TrialPlace): Promise<NonNullable<Policy['walls']>> {
    const reply = await this.#ask({ stateOf: place })
    if ('state' in reply) return reply.state
    throw new Error(JSON.stringify(reply))
  }

  #ask(message: TrialMessage): Promise<TrialReply> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`The process that runs trials ended with ${code}.`))
      this.#child.once('exit', ended)
      this.#child.once('message', (reply: TrialReply) => {
        this.#child.off('exit', ended)
        resolve(reply)
      })
      this.#child.send(message)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    await new Promise<void>((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.disconnect()
    })
  }
}
