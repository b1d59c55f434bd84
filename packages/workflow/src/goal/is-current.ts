import type { SessionState } from '@loader/session-core'
import type { Evidence, Goal } from '@loader/session-core/coding'

/**
 * Whether nothing but the checks themselves has changed the workspace since a run began.
 *
 * The runs are followed back from what was seen last: each has to begin where the one before it ended. A break in
 * that chain is a change by somebody else, and whatever ran before it is stale. Where there is no tree, of then or of now,
 * nothing is known, and nothing is said to have changed.
 */
export function isCurrent(
  { workspace, turn, evidence: all }: SessionState,
  goal: Goal,
  evidence: Evidence,
): 'yes' | 'no' | 'not_known' {
  if (workspace?.tree == null || evidence.tree === undefined) return 'not_known'
  if ((workspace.looked?.seq ?? 0) < (turn?.work.lastEffectSeq ?? 0)) return 'no'
  const checkIds = new Set(goal.checks.map(({ id }) => id))
  const runs = all.filter(({ checkId, baseline }) => checkIds.has(checkId) && baseline === undefined)
  let expected: string | undefined = workspace.tree.id
  for (const run of runs.toReversed()) {
    if ((run.treeAfter ?? run.tree) !== expected) return 'no'
    if (run.runId === evidence.runId) return 'yes'
    expected = run.tree
  }
  return 'no'
}
