import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'

export async function refuseCall({ callId, outcome, text }: MoveOf<'refuse_call'>, { session }: Stage): Promise<void> {
  session.record({ type: 'tool.finished', callId, outcome, text: await session.storeText(text) })
}
