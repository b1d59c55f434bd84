import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

export function takeInput({ inputId, as }: StepOf<'take_input'>, { session, environment }: Stage): void {
  if (as === 'steering') {
    session.record({ type: 'input.taken', inputId })
    return
  }
  const { turn: lane, mode } = as
  session.record({ type: 'turn.started', turnId: environment.newId('turn'), inputId, lane, mode })
}
