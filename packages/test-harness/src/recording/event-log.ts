import { isSessionEvent, type History, type Session, type SessionEvent, type StoredEvent } from '@loader/session-core'

/** The events of a session as short lines, to assert on. */
export interface EventLog {
  /** Every event so far as a short line, such as `tool.finished(ok)`. */
  readonly lines: readonly string[]
  stop(): void
}

/** Follows a session from now on. */
export function eventLog(session: Session): EventLog {
  const lines: string[] = []
  const stop = session.subscribe((event) => lines.push(eventLine(event)))
  return { lines, stop }
}

/** The events of a history as short lines. */
export function eventLines(history: History): string[] {
  return history.map(eventLine)
}

/** An event as a short line, such as `tool.finished(ok)`. */
export function eventLine(event: StoredEvent): string {
  const detail = isSessionEvent(event) ? detailOf(event) : undefined
  return detail === undefined ? event.type : `${event.type}(${detail})`
}

/** The detail that distinguishes events of one type in a test. */
function detailOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'model.asked':
      return event.purpose === 'answer' ? undefined : event.purpose
    case 'model.answered': {
      const names = event.content.flatMap((part) => (part.type === 'call' ? [part.call.name] : []))
      return names.length > 0 ? names.join(', ') : undefined
    }
    case 'calls.recovered':
      return event.calls.map(({ name }) => name).join(', ')
    case 'model.failed':
      return event.error.kind
    case 'permission.decided':
      return event.permit
    case 'tool.finished':
      return event.outcome
    case 'workflow.decided':
      return event.entry.reasonCode
    case 'check.finished':
      return event.evidence.outcome
    case 'hook.finished':
      return event.decision
    case 'hook.ended':
      return event.ran.ended
    case 'turn.finished':
    case 'model.interrupted':
    case 'context.compaction_failed':
      return event.reason
    case 'context.compacted':
      return event.method
    case 'custom.recorded':
      return event.name
    default:
      return undefined
  }
}
