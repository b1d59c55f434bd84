import { type EventInput, LoaderError, type OpenCall } from '@loader/session-core'
import { type Observation, requireObservation, type Tool } from '@loader/session-core/coding'
import { reconciliation } from '@loader/workflow'
import { Delegations } from '../children/delegation.ts'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'
import { contextFor, openCall, toolFor } from './open-call.ts'

/** Reconciles an interrupted call: the current state of its files shows the outcome, or the outcome is unknown. */
export async function reconcileCall({ callId }: StepOf<'reconcile_call'>, stage: Stage): Promise<void> {
  closeQuestion(callId, stage)
  const open = openCall(stage.session, callId)
  stage.session.record((await takenUp(open, stage)) ?? (await reconciled(open, stage)))
}

/** A question that the call was asking when it was cut off: its answer could not reach the call any more. */
function closeQuestion(callId: string, { session }: Stage): void {
  const { question } = session.state.turn ?? {}
  if (question?.callId !== callId || question.answer !== undefined) return
  session.record({ type: 'question.answered', questionId: question.id, outcome: 'unanswered', by: 'runtime' })
}

/** The result of a call that could go on after the crash. */
async function takenUp({ call }: OpenCall, stage: Stage): Promise<EventInput | undefined> {
  const tool = toolFor(stage, call.name)
  if (tool?.takeUp === undefined) return undefined
  const delegation = new Delegations(stage, [call.id]).for(call.id)
  const settled = await tool.takeUp(call.id, { ...contextFor(stage, call.id), delegation })
  if (settled === undefined) return undefined
  const { outcome, text, metadata } = settled
  return {
    type: 'tool.finished',
    callId: call.id,
    outcome,
    text: await stage.session.storeText(text),
    metadata: { ...metadata, settled: true },
  }
}

export async function reconciled(open: OpenCall, stage: Stage, why = ''): Promise<EventInput> {
  const { call, examined } = open
  const tool = toolFor(stage, call.name)
  const intent = examined?.intent ?? []
  const { observation, fault } = intent.length > 0 ? await observed(tool, intent) : {}
  const { outcome, text } = reconciliation(open, observation, { moved: isMoved(open, stage) })
  return {
    type: 'tool.finished',
    callId: call.id,
    outcome,
    text: [why, fault, text].filter((part) => part !== undefined && part !== '').join(' '),
    metadata: { settled: true },
  }
}

/** Whether the call was started in another folder. */
function isMoved({ startedEpoch }: OpenCall, { session }: Stage): boolean {
  return (startedEpoch ?? 0) < (session.state.place?.since ?? 0)
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
