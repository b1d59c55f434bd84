import type { AgentEvent, RunResult } from '@loader/agent'
import type { PermissionMode, Verdict } from '@loader/session-core/coding'
import type { ExitCode } from '../console/exit-codes.ts'

/** What is known when a run begins, or when it failed before that. */
export interface RunHead {
  /** Empty if the run failed before it had a session. */
  readonly sessionId: string
  readonly model: string
  readonly tools: readonly string[]
  readonly permissionMode: PermissionMode
  readonly folder: string
  /** The seq of the latest event of the session. */
  readonly seq: number
  /** The task of the user; empty if an open turn is continued. */
  readonly task: string
}

/** How a run ended: with a result, or with an error. */
export type RunEnd = {
  readonly code: ExitCode
  /** The command that resumes the session, if it can be resumed. */
  readonly resume?: string
} & (
  | {
      readonly kind: 'finished'
      readonly result: RunResult
      /** Why the turn ended, as text. */
      readonly why?: string
      /** The criteria of the task with their verdicts. */
      readonly criteria: readonly { readonly id: string; readonly text: string; readonly verdict: Verdict }[]
    }
  | { readonly kind: 'failed'; readonly error: unknown }
)

/** Prints one run in one format. */
export interface Printer {
  begin(head: RunHead): void
  event(event: AgentEvent): void
  end(end: RunEnd): void
}

/** Guarantees exactly one beginning and one end, in this order, however the run ends. */
export class OncePrinter implements Printer {
  readonly #printer: Printer
  #stage: 'new' | 'begun' | 'told' | 'ended' = 'new'

  constructor(printer: Printer) {
    this.#printer = printer
  }

  begin(head: RunHead): void {
    if (this.#stage !== 'new') return
    this.#stage = 'begun'
    this.#printer.begin(head)
  }

  event(event: AgentEvent): void {
    if (this.#stage === 'new' || this.#stage === 'ended') return
    this.#stage = 'begun'
    this.#printer.event(event)
  }

  /** The end of one of several tasks. It is also the end of the run if nothing follows. */
  turn(end: RunEnd): void {
    if (this.#stage !== 'begun') return
    this.#stage = 'told'
    this.#printer.end(end)
  }

  /** No output may follow. */
  end(end: RunEnd): void {
    const isTold = this.#stage === 'told'
    if (this.#stage !== 'begun' && !isTold) return
    this.#stage = 'ended'
    if (!isTold || end.kind === 'failed') this.#printer.end(end)
  }
}
