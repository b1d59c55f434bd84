import { type EventInput, fold, parseEvent, type History, type SessionState } from '@loader/session-core'
import type { Decided } from '../../src/words/step.ts'

/** These events in a session of their own, checked like what a store reads. One second passes with each. */
export function historyOf(...inputs: readonly EventInput[]): History {
  const opened: EventInput[] =
    inputs[0]?.type === 'session.opened' ? [] : [{ type: 'session.opened', format: 1, id: 'ses' }]
  return [...opened, ...inputs].map((input, index) =>
    parseEvent({ ...structuredClone(input), seq: index + 1, at: timeOf(index + 1) }),
  )
}

/** The state after these events. */
export function stateOf(...inputs: readonly EventInput[]): SessionState {
  const state = fold(historyOf(...inputs))
  if (state === null) throw new Error('nothing was recorded')
  return state
}

export function timeOf(seq: number): string {
  return new Date(Date.UTC(2026, 3, 9, 12) + seq * 1000).toISOString()
}

/** The input, and the turn that takes it. */
export function begun(
  text: string,
  { turnId = 'turn_1', mode }: { turnId?: string; mode?: 'plan' | 'clarify' } = {},
): EventInput[] {
  const inputId = `in_${turnId}`
  return [
    { type: 'input.queued', inputId, text },
    { type: 'turn.started', turnId, inputId, ...(mode && { mode }) },
  ]
}

let entries = 0

export function decided(entry: Decided): EventInput {
  entries += 1
  return { type: 'workflow.decided', entry: { id: `entry_${entries}`, ...entry } }
}

/** An answer in words; only then can completion be judged. */
export function answered(text: string, requestId = 'req_1'): EventInput[] {
  return [
    { type: 'model.asked', requestId, purpose: 'answer', attempt: 1 },
    { type: 'model.answered', requestId, content: [{ type: 'text', text }], finishReason: 'stop' },
  ]
}
