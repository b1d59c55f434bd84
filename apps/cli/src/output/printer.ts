import type { AgentEvent, RunResult } from '@loader/agent'
import type { PermissionMode, Verdict } from '@loader/session-core/coding'
import type { ExitCode } from '../console/exit-codes.ts'

/** What is known when a run begins. Of one that fails before, as much as was known then. */
export interface RunHead {
  /** Empty when the run failed before there was a session. */
  readonly sessionId: string
  readonly model: string
  readonly tools: readonly string[]
  readonly permissionMode: PermissionMode
  readonly folder: string
  /** The last event that the session had. */
  readonly seq: number
  /** What the user said; empty when an open turn goes on. */
  readonly task: string
}

/** How a run ended: with a result, or with an error. */
export type RunEnd = {
  readonly code: ExitCode
  /** The command that goes on with the session, when there is one to go on with. */
  readonly resume?: string
} & (
  | {
      readonly kind: 'finished'
      readonly result: RunResult
      /** The reason of the turn's end in words. */
      readonly why?: string
      /** What had to hold for the task to be done, and whether it does. */
      readonly criteria: readonly { readonly id: string; readonly text: string; readonly verdict: Verdict }[]
    }
  | { readonly kind: 'failed'; readonly error: unknown }
)

/** Prints one run in one form. */
export interface Printer {
  begin(head: RunHead): void
  event(event: AgentEvent): void
  end(end: RunEnd): void
}

/** Sees to it that there is exactly one beginning and exactly one end, in this order, on every way out. */
export class OncePrinter implements Printer {
  readonly #printer: Printer
  #stage: 'new' | 'begun' | 'ended' = 'new'

  constructor(printer: Printer) {
    this.#printer = printer
  }

  begin(head: RunHead): void {
    if (this.#stage !== 'new') return
    this.#stage = 'begun'
    this.#printer.begin(head)
  }

  event(event: AgentEvent): void {
    if (this.#stage === 'begun') this.#printer.event(event)
  }

  /** After this nothing is printed any more. */
  end(end: RunEnd): void {
    if (this.#stage !== 'begun') return
    this.#stage = 'ended'
    this.#printer.end(end)
  }
}
