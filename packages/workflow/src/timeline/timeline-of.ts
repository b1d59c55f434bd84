import { isSessionEvent, type Recording } from '@loader/session-core'
import type { TimelineEntry } from '@loader/session-core/coding'

/** Every decision of a recording. A state keeps only the latest. */
export function timelineOf(recording: Recording): TimelineEntry[] {
  return recording.flatMap((event) =>
    isSessionEvent(event) && event.type === 'workflow.decided'
      ? [{ ...event.entry, seq: event.seq, at: event.at }]
      : [],
  )
}
