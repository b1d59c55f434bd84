import type { Stage } from '../stage.ts'
import type { MoveOf } from './move-of.ts'

export function takeInput({ inputId, as }: MoveOf<'take_input'>, { session, environment }: Stage): void {
  if (as === 'steering') {
    session.record({ type: 'input.taken', inputId })
    return
  }
  const { turn: lane, mode } = as
  session.record({ type: 'turn.started', turnId: environment.newId('turn'), inputId, lane, mode })
}
