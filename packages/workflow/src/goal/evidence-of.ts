import type { SessionState } from '@loader/session-core'
import type { Check, Evidence } from '@loader/session-core/coding'

/** A run of a check, with the judgement over all of its rooms. */
export type RunOfCheck = Evidence

/** The latest run of the check on the files as they are, with the judgement that its rooms led to. */
export function evidenceOf(
  { evidence }: Pick<SessionState, 'evidence'>,
  { id }: Pick<Check, 'id'>,
): RunOfCheck | undefined {
  const own = evidence.filter(({ checkId }) => checkId === id)
  const run = own.findLast(({ baseline }) => baseline === undefined)
  const judgement = own.findLast((each) => each.judgement !== undefined)?.judgement
  return run && { ...run, ...(judgement !== undefined && { judgement }) }
}

/** All runs of a check in other rooms since it ran on the files as they are. */
export function trialEvidence(
  { evidence }: Pick<SessionState, 'evidence'>,
  { id }: Pick<Check, 'id'>,
): readonly Evidence[] {
  return evidence.filter(({ checkId, room }) => checkId === id && room !== undefined)
}
