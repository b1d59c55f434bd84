import type { SessionState } from '@loader/session-core'
import type { Check, Evidence } from '@loader/session-core/coding'

/** What the latest run of a check showed. Runs before the work are another matter. */
export function evidenceOf(
  { evidence }: Pick<SessionState, 'evidence'>,
  { id }: Pick<Check, 'id'>,
): Evidence | undefined {
  return evidence.findLast(({ checkId, baseline }) => checkId === id && baseline === undefined)
}

/** What a run of the check before the work showed, if there was one. */
export function baselineOf(
  { evidence }: Pick<SessionState, 'evidence'>,
  { id }: Pick<Check, 'id'>,
): Evidence | undefined {
  return evidence.findLast(
    ({ checkId, baseline, room = 'before' }) => checkId === id && baseline === true && room === 'before',
  )
}

/** Whether a run before the work passed as well: then the check says nothing about the work. */
export function passedBefore(state: Pick<SessionState, 'evidence'>, check: Pick<Check, 'id'>): boolean {
  return baselineOf(state, check)?.outcome === 'passed'
}
