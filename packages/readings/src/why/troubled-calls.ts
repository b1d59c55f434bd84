import { isSessionEvent, type History, type ToolCall, type ToolOutcome } from '@loader/session-core'
import { callTitle } from '../words/call-title.ts'

/** A call of a turn that did not succeed. */
export interface CallTrouble {
  readonly title: string
  readonly outcome: Exclude<ToolOutcome, 'ok'>
  /** Why it was denied, if it was. */
  readonly reason: string | undefined
}

/** The calls since an event that did not succeed, in order. */
export function troubledCalls(history: History, fromSeq: number): CallTrouble[] {
  const calls = new Map<string, ToolCall>()
  const reasons = new Map<string, string>()
  const troubles: CallTrouble[] = []
  for (const event of history) {
    if (event.seq < fromSeq || !isSessionEvent(event)) continue
    if (event.type === 'model.answered') {
      for (const part of event.content) if (part.type === 'call') calls.set(part.call.id, part.call)
    }
    if (event.type === 'calls.recovered') for (const call of event.calls) calls.set(call.id, call)
    if (event.type === 'permission.decided' && event.reason !== undefined) reasons.set(event.callId, event.reason)
    if (event.type !== 'tool.finished' || event.outcome === 'ok') continue
    const call = calls.get(event.callId)
    const title = call === undefined ? event.callId : callTitle(call)
    troubles.push({ title, outcome: event.outcome, reason: reasons.get(event.callId) })
  }
  return troubles
}

/**
 * Denied calls and calls with unknown outcome, as sentences. Failed calls are left out, because the model handles them.
 */
export function troubleSentences(troubles: readonly CallTrouble[]): string[] {
  return troubles.flatMap(({ title, outcome, reason }) => {
    if (outcome === 'denied') return [`\`${title}\` was not allowed${reason === undefined ? '' : `: ${reason}`}.`]
    if (outcome === 'unknown') return [`\`${title}\` was cut off; it is unknown whether it took effect.`]
    return outcome === 'interrupted' ? [`\`${title}\` was interrupted.`] : []
  })
}
