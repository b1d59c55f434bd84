import type { AgentEvent, Taken } from '@loader/agent'
import type { SessionState } from '@loader/session-core'
import type { InboxMessage } from '@loader/session-core/coding'
import { addRule, projectRulesFile } from '../../permissions/rules-files.ts'
import { writtenForm } from '../../permissions/written-form.ts'
import type { Begun } from '../../run/beginning.ts'
import { hearing } from '../../run/hearing.ts'
import { mentionedFiles } from '../../run/mentioned-files.ts'

/** What a runner tells of itself. */
export interface RunnerEnds {
  /** There is nothing to do any more. The runner may be closed, unless it has to stay. */
  onRest(): void
  /** The work broke off, or the inbox cannot be read; with null, it can be read again. */
  onTrouble(error: unknown): void
}

/** A session that this process works on, with one agent. It has no terminal: answers come through the inbox or `take`. */
export class Runner {
  readonly id: string
  readonly #begun: Begun
  readonly #ends: RunnerEnds
  readonly #hearing: { stop(): void }
  #work: Promise<void> | undefined
  /** A person asked to continue, even with words that were queued when a turn was stopped. */
  #isWished = false
  #isClosing = false

  constructor(begun: Begun, ends: RunnerEnds) {
    this.id = begun.agent.session.id
    this.#begun = begun
    this.#ends = ends
    this.#hearing = hearing(begun.agent, { onMessage: () => this.go(), onError: (error) => ends.onTrouble(error) })
  }

  get state(): SessionState | null {
    return this.#begun.agent.session.state
  }

  get agent(): Begun['agent'] {
    return this.#begun.agent
  }

  /** Whether a turn is worked on. */
  get isBusy(): boolean {
    return this.#work !== undefined
  }

  /** Whether it must be kept although there is nothing to do, because a command that it started still runs. */
  get mustStay(): boolean {
    return (this.state?.background ?? []).some(({ ended }) => ended === undefined)
  }

  /** Records a message. Durable when this resolves; `go` begins to work on it. */
  take(message: InboxMessage): Promise<Taken> {
    const quote = 'text' in message ? mentionedFiles(message.text, this.#begun.places) : []
    return this.#begun.agent.take(message, { quote })
  }

  /** Works on what is open, unless it does already. */
  go({ isWished = false }: { readonly isWished?: boolean } = {}): void {
    if (this.#isClosing) return
    this.#isWished ||= isWished
    this.#work ??= this.#worked().finally(() => {
      this.#work = undefined
      if (!this.#isClosing) this.#ends.onRest()
    })
  }

  /** Releases the session. A running turn stays open, so that another process can continue it. */
  async close(): Promise<void> {
    this.#hearing.stop()
    this.#isClosing = true
    try {
      this.#begun.agent.pause({ now: true })
      await this.#work
      await this.#begun.agent.close()
    } finally {
      const { store } = this.#begun
      if (Symbol.asyncDispose in store) await (store as AsyncDisposable)[Symbol.asyncDispose]()
    }
  }

  async #worked(): Promise<void> {
    const { agent } = this.#begun
    try {
      await agent.takeMessages()
      while (!this.#isClosing && hasWork(agent.session.state, this.#isWished)) {
        this.#isWished = false
        await agent.continue({ onEvent: (event) => this.#see(event), approver: nobodyHere, askUser: untilAnswered })
      }
    } catch (error) {
      if (!this.#isClosing) this.#ends.onTrouble(error)
    }
  }

  #see(event: AgentEvent): void {
    if (event.type !== 'permission.rule_added' || event.scope !== 'project') return
    try {
      addRule(projectRulesFile(this.#begun.places), event.rule.permit, writtenForm(event.rule))
    } catch (error) {
      // Only `LoaderError` and system errors are expected here. The answer holds for this session even so.
      if (!(error instanceof Error) || !('code' in error)) throw error
      this.#ends.onTrouble(error)
    }
  }
}

/** Whether there is a turn to continue or to begin. Words that were queued when a turn was stopped wait until a person asks. */
function hasWork(state: SessionState | null, isWished: boolean): boolean {
  if (state === null) return false
  if (state.turn !== null) return true
  if (state.queue.length === 0) return false
  return isWished || state.lastTurn?.reason !== 'interrupted' || state.queue.some(({ source }) => source === undefined)
}

/** Never settles: answers come through the inbox or through `take`, which end the question. */
const untilAnswered = () => new Promise<never>(() => {})
const nobodyHere = { decide: untilAnswered }
