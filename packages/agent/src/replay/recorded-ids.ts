import { callsOf, isSessionEvent, type StoredEvent } from '@loader/session-core'

/** The ids with this prefix that were generated when the event was recorded. */
export function madeIds(event: StoredEvent, prefix: string): readonly string[] {
  if (!isSessionEvent(event)) return []
  switch (event.type) {
    case 'turn.started':
      return prefix === 'turn' ? [event.turnId] : []
    case 'model.asked':
      return prefix === 'req' ? [event.requestId] : []
    case 'model.answered':
      return prefix === 'call' ? callsOf(event.content).map(({ id }) => id) : []
    case 'workflow.decided':
      return prefix === 'dec' ? [event.entry.id] : []
    case 'question.asked':
      return prefix === 'q' ? [event.questionId] : []
    case 'check.started':
      return prefix === 'run' ? [event.runId] : []
    case 'context.compacted':
      return prefix === 'sum' ? [event.messageId] : []
    default:
      return []
  }
}
