import type { Taken } from '@loader/agent'
import type { InboxMessage } from '@loader/session-core/coding'
import { errorText } from '../../console/error-text.ts'
import { LoaderError } from '@loader/session-core'
import { ActRefused } from '@loader/web/server'
import { begin } from '../../run/begin.ts'
import type { Places } from '../../places/places.ts'
import { printNotes } from '../../screen/notes.ts'
import { consoleIn, type ServedFrom } from '../sessions/located.ts'
import type { Runs } from '../standing/standings.ts'
import { Runner } from './runner.ts'

/** The session that a runner is for: one that is there, or a new one with this id. */
export interface Wanted {
  readonly id: string
  readonly places: Places
  readonly isNew: boolean
  readonly title?: string | undefined
}

/** The sessions that this process works on, at most one runner for each. */
export class Runners implements Runs {
  readonly #from: ServedFrom
  readonly #report: (error: unknown) => void
  readonly #runners = new Map<string, Runner>()
  readonly #troubles = new Map<string, { readonly code: string; readonly message: string }>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #isClosing = false

  constructor(from: ServedFrom, report: (error: unknown) => void) {
    this.#from = from
    this.#report = report
  }

  has(id: string): Runner | undefined {
    return this.#runners.get(id)
  }

  trouble(id: string): { readonly code: string; readonly message: string } | null {
    return this.#troubles.get(id) ?? null
  }

  /** Runs `work` one after the other for each session, so that no runner is begun twice or closed while it is in use. */
  alone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#turns.get(id) ?? Promise.resolve()).then(work)
    const settled = result.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(id, settled)
    void settled.then(() => {
      if (this.#turns.get(id) === settled) this.#turns.delete(id)
    })
    return result
  }

  /** The runner of a session, which claims it. Call it within `alone`. */
  async of(wanted: Wanted): Promise<Runner> {
    const { id } = wanted
    const known = this.#runners.get(id)
    if (known !== undefined) return known
    if (this.#isClosing) throw new ActRefused('busy', 'The server is ending. Nothing was done.')
    this.#troubles.delete(id)
    const runner = await this.#begun(wanted)
    this.#runners.set(id, runner)
    return runner
  }

  /**
   * Gives a message to a runner, which does the work that follows from it. If there is none, the session is left as it was.
   * Call it within `alone`.
   */
  async hear(wanted: Wanted, message: InboxMessage): Promise<Taken> {
    const runner = await this.of(wanted)
    let taken: Taken = 'obsolete'
    try {
      taken = await runner.take(message)
    } finally {
      if (taken === 'obsolete' && !runner.isBusy && !runner.mustStay) await this.#leave(runner)
    }
    if (taken !== 'obsolete') runner.go()
    return taken
  }

  async #begun({ id, places, isNew, title }: Wanted): Promise<Runner> {
    const { console } = this.#from
    const begun = await begin({
      given: this.#from.given,
      console: consoleIn(places.root, console),
      places: { ...places, folder: places.root },
      piped: '',
      audience: 'user',
      sessionId: isNew ? null : id,
      ...(isNew && { newId: id }),
      ...(isNew && title !== undefined && { title }),
      onNote: (note) => printNotes(console, [`${id}: ${note}`]),
    })
    if (begun.kind === 'no_model') {
      const message = `No model was chosen for ${places.root}. Choose one: loader config set model provider/id`
      throw new ActRefused('no_model', message)
    }
    return new Runner(begun, { onRest: () => void this.#rested(id), onTrouble: (error) => this.#troubled(id, error) })
  }

  /** Releases a session that rests, so that other processes can use it. */
  async #rested(id: string): Promise<void> {
    try {
      await this.alone(id, async () => {
        const runner = this.#runners.get(id)
        if (runner === undefined || runner.isBusy || runner.mustStay) return
        await this.#leave(runner)
      })
    } catch (error) {
      this.#troubled(id, error)
    }
  }

  async #leave(runner: Runner): Promise<void> {
    try {
      await runner.close()
    } finally {
      this.#runners.delete(runner.id)
    }
  }

  #troubled(id: string, error: unknown): void {
    if (error === null) return void this.#troubles.delete(id)
    const code = LoaderError.is(error) ? error.code : 'failed'
    this.#troubles.set(id, { code, message: errorText(error) })
    if (!LoaderError.is(error)) this.#report(error)
  }

  /** Releases all sessions. Turns stay open. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all(
      [...this.#runners.values()].map((runner) => this.#leave(runner).catch((error: unknown) => this.#report(error))),
    )
  }
}
