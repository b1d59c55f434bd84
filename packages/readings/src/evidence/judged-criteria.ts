import type { SessionState } from '@loader/session-core'
import { judgementRecord, verdictOf } from '@loader/workflow'
import type { JudgedCriterion } from '../schemas/evidence.ts'

/** Every criterion of the goal with its verdict and the reasons. */
export function judgedCriteria(state: SessionState): JudgedCriterion[] {
  return (state.goal?.criteria ?? []).map((criterion) => {
    const { verdict, reasons, judgement } = verdictOf(criterion, state)
    return { ...criterion, verdict, reasons, ...(judgement && { judgement: judgementRecord(judgement) }) }
  })
}
