import type { SessionState } from '@loader/session-core'
import { goalOfTurn } from './goal-of-turn.ts'

/** The result of the goal's checks since the turn began; null if none has run. */
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
