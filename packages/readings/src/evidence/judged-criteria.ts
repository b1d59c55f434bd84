import type { SessionState } from '@loader/session-core'
import { verdictOf } from '@loader/workflow'
import type { JudgedCriterion } from '../schemas/evidence.ts'

/** Every criterion of the goal with where it stands, and why. */
export function judgedCriteria(state: SessionState): JudgedCriterion[] {
  return (state.goal?.criteria ?? []).map((criterion) => ({ ...criterion, ...verdictOf(criterion, state) }))
}
