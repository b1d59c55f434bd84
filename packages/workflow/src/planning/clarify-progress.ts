import type { SessionState } from '@loader/session-core'
import { isClarification, isRoute } from '../timeline/accountability.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'

export interface ClarifyProgress {
  readonly status: 'asking' | 'over'
  /** The current or last round; counted from 1. */
  readonly round: number
  readonly pressurePassComplete: boolean
  /** What the latest review left open. */
  readonly openQuestions: readonly string[]
}

/** The progress of clarification since the turn last entered it; null if it has not. */
export function clarifyProgress(state: SessionState): ClarifyProgress | null {
  const decisions = decisionsOfTurn(state)
  const entered = decisions.findLastIndex(({ kind, mode }) => isRoute(kind) && mode === 'clarify')
  if (entered < 0) return null
  const reviews = decisions.slice(entered + 1).filter(({ kind }) => isClarification(kind))
  const latest = reviews.at(-1)
  const over = latest?.kind === 'clarify_exit' || decisions.slice(entered + 1).some(({ kind }) => isRoute(kind))
  return {
    status: over ? 'over' : 'asking',
    round: latest?.kind === 'clarify_exit' ? reviews.length : reviews.length + 1,
    pressurePassComplete: reviews.some(({ pressurePassComplete }) => pressurePassComplete === true),
    openQuestions: latest?.unresolvedQuestions ?? [],
  }
}
