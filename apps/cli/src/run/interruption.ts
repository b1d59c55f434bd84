import type { Console } from '../console/console.ts'

/** Why a run is to end early. */
export type Cause = 'SIGINT' | 'SIGTERM' | 'output closed' | 'output failed'

/**
 * What ends a run from outside: the user, the system, or the end of whoever reads the output. The first time is a wish,
 * which the turn is settled for; a second signal is an order.
 *
 * SIGHUP is left alone: it ends the process, which loses nothing, and who wants it to go on (`nohup`) has it ignored.
 */
export class Interruption {
  #cause: Cause | undefined
  #told: ((cause: Cause) => void) | undefined
  readonly #stdout: Console['stdout']
  readonly #leave: (cause: 'SIGINT' | 'SIGTERM') => never
  readonly #onLost = (error: NodeJS.ErrnoException) => {
    this.#arrived(error.code === 'EPIPE' ? 'output closed' : 'output failed')
  }
  readonly #onInterrupt = () => this.#signalled('SIGINT')
  readonly #onTerminate = () => this.#signalled('SIGTERM')

  /** `leave` ends the process, after the second signal. */
  constructor({ stdout }: Console, leave: (cause: 'SIGINT' | 'SIGTERM') => never) {
    this.#stdout = stdout
    this.#leave = leave
    stdout.on('error', this.#onLost)
    process.on('SIGINT', this.#onInterrupt)
    process.on('SIGTERM', this.#onTerminate)
  }

  get cause(): Cause | undefined {
    return this.#cause
  }

  /** Calls it once: at the first cause, or now if that is past. */
  onFirst(tell: (cause: Cause) => void): void {
    this.#told = tell
    if (this.#cause !== undefined) tell(this.#cause)
  }

  /** What the work comes to, or undefined as soon as there is a cause. */
  async unless<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return Promise.race([work, new Promise<undefined>((resolve) => this.onFirst(() => resolve(undefined)))])
  }

  stop(): void {
    this.#stdout.off('error', this.#onLost)
    process.off('SIGINT', this.#onInterrupt)
    process.off('SIGTERM', this.#onTerminate)
  }

  #signalled(name: 'SIGINT' | 'SIGTERM'): void {
    if (this.#cause === 'SIGINT' || this.#cause === 'SIGTERM') this.#leave(name)
    this.#arrived(name)
  }

  #arrived(cause: Cause): void {
    if (this.#cause !== undefined) return
    this.#cause = cause
    this.#told?.(cause)
  }
}
