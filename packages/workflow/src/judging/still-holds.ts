import type { CheckJudgement } from './judgement.ts'

/** What a judgement is about: the tree of the workspace, and a digest of what else a check can see. */
export interface JudgedPlace {
  readonly tree: string
  readonly environment: string
}

/**
 * A judgement holds while tree and environment are the same: a question changes nothing about it. Without a place it comes
 * from a recording of another time; then nothing is known, and nothing is said to have changed.
 */
export function judgementNow(
  judgement: CheckJudgement,
  about: JudgedPlace | undefined,
  now: JudgedPlace,
): CheckJudgement {
  const { notes } = judgement
  if (about === undefined) return { word: 'unverified', why: { kind: 'old_evidence' }, notes }
  const isSame = about.tree === now.tree && about.environment === now.environment
  return isSame ? judgement : { word: 'stale', about, notes }
}
