import type { Console } from '../console/console.ts'

/** Why a run is to end early. */
export type Cause = 'SIGINT' | 'SIGTERM' | 'output closed' | 'output failed'

/**
 * Ends a run from outside: by signals, or when the output is closed. The first time, the turn is stopped and settled; a
 * second signal ends the process.
 *
 * SIGHUP is not handled: it ends the process, which loses no recorded event, and `nohup` works as usual.
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

  /** `leave` ends the process after the second signal. */
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

  /** Calls it once: at the first cause, or now if there was one. */
  onFirst(tell: (cause: Cause) => void): void {
    this.#told = tell
    if (this.#cause !== undefined) tell(this.#cause)
  }

  /** The result of the work, or undefined as soon as there is a cause. */
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
