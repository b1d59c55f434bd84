import { compactFromModel, compactLocally, readSummary } from '@loader/compaction'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Replaces older messages by a summary: one event, which contains the summary or says why there is none. */
export function compact({ method, why, plan }: StepOf<'compact'>, { session, environment }: Stage): void {
  const { state } = session
  const options = { messageId: environment.newId('sum'), why }
  const request = state.turn?.request
  const event =
    method === 'model' && request
      ? compactFromModel(state, plan, readSummary(request), options)
      : compactLocally(state, plan, options)
  session.record(event)
}
