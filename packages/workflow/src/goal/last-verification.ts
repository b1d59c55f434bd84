import type { SessionState } from '@loader/session-core'
import { goalOfTurn } from './goal-of-turn.ts'

/** What the checks of the goal have shown since the turn began; null when they have shown nothing yet. */
export function lastVerification(state: SessionState): 'passed' | 'failed' | null {
  const { evidence, turn } = state
  const checks = new Set(goalOfTurn(state)?.checks.map(({ id }) => id))
  const shown = evidence.filter(
    ({ checkId, baseline, finishedAt }) =>
      checks.has(checkId) && baseline === undefined && (turn === null || finishedAt >= turn.startedAt),
  )
  if (shown.some(({ outcome }) => outcome === 'failed')) return 'failed'
  return shown.some(({ outcome }) => outcome === 'passed') ? 'passed' : null
}
