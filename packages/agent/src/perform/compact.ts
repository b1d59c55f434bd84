import { compactFromModel, compactionFailed, compactLocally, planCompaction, readSummary } from '@loader/compaction'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Folds the older messages into a summary: one event, which either replaces them or says why not. */
export function compact({ method, why }: MoveOf<'compact'>, { session, environment }: Stage): void {
  const { state } = session
  const overflow = why === 'overflow'
  const plan = planCompaction(state, overflow ? { keepAtLeast: 0 } : {})
  if (plan === null) {
    session.record(compactionFailed(method, 'There is nothing to fold whose removal would gain room.'))
    return
  }
  const options = { messageId: environment.newId('sum'), why }
  const request = state.turn?.request
  const event =
    method === 'model' && request
      ? compactFromModel(state, plan, readSummary(request), options)
      : compactLocally(state, plan, options)
  session.record(event)
}
