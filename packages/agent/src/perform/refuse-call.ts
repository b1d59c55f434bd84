import type { Stage } from '../stage.ts'
import type { MoveOf } from './move-of.ts'

export async function refuseCall({ callId, outcome, text }: MoveOf<'refuse_call'>, { session }: Stage): Promise<void> {
  session.record({ type: 'tool.finished', callId, outcome, text: await session.storeText(text) })
}
