import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

export async function refuseCall({ callId, outcome, text }: StepOf<'refuse_call'>, { session }: Stage): Promise<void> {
  session.record({ type: 'tool.finished', callId, outcome, text: await session.storeText(text) })
}
