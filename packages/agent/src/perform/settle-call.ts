import { type EventInput, LoaderError, type OpenCall } from '@loader/session-core'
import { type Observation, requireObservation, type Tool } from '@loader/session-core/coding'
import { settlement } from '@loader/workflow'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'
import { openCall, toolFor } from './open-call.ts'

/** Settles an interrupted call: the current state of its files shows the outcome, or the outcome is unknown. */
export async function settleCall({ callId }: MoveOf<'settle_call'>, stage: Stage): Promise<void> {
  stage.session.record(await settled(openCall(stage.session, callId), stage))
}

export async function settled(open: OpenCall, stage: Stage, why = ''): Promise<EventInput> {
  const { call, examined } = open
  const tool = toolFor(stage, call.name)
  const intent = examined?.intent ?? []
  const { observation, fault } = intent.length > 0 ? await observed(tool, intent) : {}
  const { outcome, text } = settlement(open, observation)
  return {
    type: 'tool.finished',
    callId: call.id,
    outcome,
    text: [why, fault, text].filter((part) => part !== undefined && part !== '').join(' '),
    metadata: { settled: true },
  }
}

interface Observed {
  readonly observation?: Observation
  /** Why observing failed, as text. This must not keep a turn from ending. */
  readonly fault?: string
}

/** If observing fails or is not possible, the outcome is unknown. */
async function observed(
  tool: Tool | undefined,
  intent: Parameters<NonNullable<Tool['observe']>>[0],
): Promise<Observed> {
  if (tool?.observe === undefined) return {}
  try {
    const observation: unknown = await tool.observe(intent)
    requireObservation(tool, observation)
    return { observation }
  } catch (error) {
    if (LoaderError.is(error, 'invalid_port')) return { fault: error.message }
    if (error instanceof Error) return {}
    throw error
  }
}
