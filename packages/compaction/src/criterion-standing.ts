import type { SessionState } from '@loader/session-core'
import type { Criterion, Evidence, Verdict } from '@loader/session-core/coding'

/** Verdicts by the id of their criterion. */
export type Verdicts = Readonly<Record<string, Verdict>>

/** The standing of a criterion in a word or two: its verdict, or else the result of its checks. */
export function criterionStanding(state: SessionState, criterion: Criterion, verdicts: Verdicts = {}): string {
  const verdict = Object.hasOwn(verdicts, criterion.id) ? verdicts[criterion.id] : undefined
  if (verdict !== undefined) return verdict
  if (criterion.waived) return 'waived'
  if (criterion.checkIds.length === 0) return 'no check'
  const evidence = criterion.checkIds.map((checkId) => latest(state, checkId))
  if (evidence.some((found) => found?.outcome === 'failed')) return 'check failed'
  if (evidence.some((found) => found?.outcome !== 'passed')) return 'not checked yet'
  return evidence.every((found) => isCurrent(state, found))
    ? 'check passed'
    : 'check passed, but the files have changed'
}

function latest({ evidence }: SessionState, checkId: string): Evidence | undefined {
  return evidence.findLast((found) => found.checkId === checkId && found.baseline === undefined)
}

function isCurrent({ workspace }: SessionState, evidence: Evidence | undefined): boolean {
  const tree = evidence?.treeAfter ?? evidence?.tree
  return workspace?.tree == null || tree === undefined || workspace.tree.id === tree
}
