import { isSessionEvent, type History } from '@loader/session-core'
import type { TimelineEntry } from '@loader/session-core/coding'

/** Every decision of a history. A state keeps only the latest. */
export function timelineOf(history: History): TimelineEntry[] {
  return history.flatMap((event) =>
    isSessionEvent(event) && event.type === 'workflow.decided'
      ? [{ ...event.entry, seq: event.seq, at: event.at }]
      : [],
  )
}
