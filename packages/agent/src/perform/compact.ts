import { compactFromModel, compactLocally, readSummary } from '@loader/compaction'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Folds the older messages into a summary: one event, which either replaces them or says why not. */
export function compact({ method, why, plan }: MoveOf<'compact'>, { session, environment }: Stage): void {
  const { state } = session
  const options = { messageId: environment.newId('sum'), why }
  const request = state.turn?.request
  const event =
    method === 'model' && request
      ? compactFromModel(state, plan, readSummary(request), options)
      : compactLocally(state, plan, options)
  session.record(event)
}
