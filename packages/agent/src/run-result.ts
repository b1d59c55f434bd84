import { type SessionState, turnSummary, type TurnSummary } from '@loader/session-core'
import type { CompletionTraceEntry } from '@loader/session-core/coding'
import { completionTraceOf } from '@loader/workflow'
import { verificationText } from './verification-text.ts'

/** What came of a turn: the answer, how it ended and why, what was shown of it, and what it cost. */
export interface RunResult extends TurnSummary {
  /** The answer, and below it what the checks showed, when any ran. */
  readonly text: string
  /** Why the turn ended as it did, in words. */
  readonly summary: string | null
  /** What could not be stored any more, in words. */
  readonly notStored: string | null
  readonly completionTrace: readonly CompletionTraceEntry[]
}

/** Read off the state, so it is the same after a restart; null before the first turn has ended. */
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
