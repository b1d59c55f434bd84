import { type SessionState, turnSummary, type TurnSummary } from '@loader/session-core'
import type { CompletionTraceEntry } from '@loader/session-core/coding'
import { completionTraceOf } from '@loader/workflow'
import { verificationText } from './verification-text.ts'

/** The result of a turn: the answer, how and why it ended, its evidence, and its cost. */
export interface RunResult extends TurnSummary {
  /** The answer, followed by the results of the checks if any ran. */
  readonly text: string
  /** Why the turn ended, as text. */
  readonly summary: string | null
  /** What could not be stored, as text. */
  readonly notStored: string | null
  readonly completionTrace: readonly CompletionTraceEntry[]
}

/** The result as read off the state, so that it is the same after a restart; null before the first turn has ended. */
export function runResult(state: SessionState): RunResult | null {
  const summary = turnSummary(state)
  if (summary === null) return null
  const shown = verificationText(summary)
  return {
    ...summary,
    text: [summary.response.trim(), shown].filter((part) => part !== '').join('\n\n'),
    summary: state.lastTurn?.summary ?? null,
    notStored: state.lastTurn?.notStored ?? null,
    completionTrace: completionTraceOf(state),
  }
}
