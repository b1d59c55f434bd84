import type { SessionState } from '@loader/session-core'
import type { Evidence, Goal } from '@loader/session-core/coding'

/**
 * Whether nothing but the checks themselves has changed the workspace since a run began.
 *
 * The runs are followed back from what was seen last: each has to begin where the one before it ended. A break in
 * that chain is a change by somebody else, and whatever ran before it is stale.
 */
export function isCurrent(state: SessionState, goal: Goal, evidence: Evidence): boolean {
  const { workspace, turn } = state
  if (workspace === null || workspace.fingerprint === null) return false
  if (workspace.seq < (turn?.work.lastEffectSeq ?? 0)) return false
  const checkIds = new Set(goal.checks.map(({ id }) => id))
  const runs = state.evidence.filter(({ checkId, baseline }) => checkIds.has(checkId) && baseline === undefined)
  let expected = workspace.fingerprint
  for (const run of runs.toReversed()) {
    if (run.fingerprintAfter !== expected) return false
    if (run.runId === evidence.runId) return true
    expected = run.fingerprintBefore
  }
  return false
}
