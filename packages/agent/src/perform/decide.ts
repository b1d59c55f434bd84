import type { EventInput, StoredText } from '@loader/session-core'
import type { Recorded } from '@loader/workflow'
import { canonicalCall } from '../calls/canonical-call.ts'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Records the events of a decision together. It does not wait for them to be durable: the next effect does. */
export async function decide({ events }: StepOf<'decide'>, stage: Stage): Promise<void> {
  const inputs: EventInput[] = []
  for (const event of events) inputs.push(await withIds(event, stage))
  stage.session.recordAll(inputs)
}

async function withIds(event: Recorded, { session, environment, tools }: Stage): Promise<EventInput> {
  if (event.type === 'calls.recovered') {
    // Calls recovered from text use aliases for arguments too.
    const calls = event.calls.map((call) => ({ ...call, ...canonicalCall(tools, call.name, call.input) }))
    return { ...event, calls }
  }
  if (event.type !== 'workflow.decided') return event
  const { entry, note, ...rest } = event
  const stored: StoredText | undefined = typeof note === 'string' ? await session.storeText(note) : note
  return { ...rest, entry: { ...entry, id: environment.newId('dec') }, ...(stored !== undefined && { note: stored }) }
}
