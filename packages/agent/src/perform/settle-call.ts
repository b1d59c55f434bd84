import type { EventInput, OpenCall } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import { settlement } from '@loader/workflow'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'
import { openCall, toolFor } from './open-call.ts'

/** A call that was cut off: what is there now tells what became of it, or that nobody knows. */
export async function settleCall({ callId }: MoveOf<'settle_call'>, stage: Stage): Promise<void> {
  stage.session.record(await settled(openCall(stage.session, callId), stage))
}

export async function settled(open: OpenCall, stage: Stage, why = ''): Promise<EventInput> {
  const { call, examined } = open
  const tool = toolFor(stage, call.name)
  const intent = examined?.intent ?? []
  const observation = intent.length > 0 ? await observed(tool, intent) : undefined
  const { outcome, text } = settlement(open, observation)
  return {
    type: 'tool.finished',
    callId: call.id,
    outcome,
    text: why === '' ? text : `${why} ${text}`,
    metadata: { settled: true },
  }
}

/** What cannot be looked at any more is not known. */
async function observed(tool: Tool | undefined, intent: Parameters<NonNullable<Tool['observe']>>[0]) {
  try {
    return await tool?.observe?.(intent)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
