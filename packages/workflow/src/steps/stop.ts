import { type SessionState, type Turn, unansweredCalls } from '@loader/session-core'
import type { Step } from '../words/step.ts'
import { unsavedAfter, unseenAfter } from './unseen.ts'

/** Reasons of the runtime to stop a turn that also become its reason to end. */
const ownReasons = new Set(['storage_full', 'storage_refused', 'out_of_memory'])

/** After a request to stop the turn: reconciles open calls, observes what was changed, then ends it. */
export function stopStep(state: SessionState, turn: Turn): Step | undefined {
  const { stop, request, question, wait } = turn
  if (stop === null) return undefined
  if (request?.status === 'asked') {
    return { type: 'decide', events: [{ type: 'model.interrupted', requestId: request.id, reason: 'cancelled' }] }
  }
  if (question !== null && question.answer === undefined) {
    const answer = { type: 'question.answered', questionId: question.id, outcome: 'unanswered', by: 'runtime' } as const
    return { type: 'decide', events: [answer] }
  }
  if (wait !== null) return { type: 'decide', events: [{ type: 'wait.finished', outcome: 'cancelled' }] }
  const [open] = unansweredCalls(turn)
  if (open !== undefined) {
    const callId = open.call.id
    if (open.startedEpoch !== undefined) return { type: 'reconcile_call', callId }
    return { type: 'refuse_call', callId, outcome: 'interrupted', text: 'Not run: the turn was stopped before it.' }
  }
  if (stop.by === 'runtime' && ownReasons.has(stop.reason ?? '')) {
    return { type: 'finish', reason: stop.reason ?? 'interrupted', summary: `Stopped by the runtime: ${stop.reason}` }
  }
  // After a failure of the runtime, another observation could fail too. Where files are stored with results, it is tried.
  const unseen = stop.by === 'runtime' ? unsavedAfter(state, turn) : unseenAfter(state, turn)
  if (unseen !== undefined) return unseen
  const why = stop.reason === undefined ? '' : `: ${stop.reason}`
  return { type: 'finish', reason: 'interrupted', summary: `Stopped by ${stop.by}${why}` }
}
