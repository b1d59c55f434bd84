import type { Recording, SessionState } from '@loader/session-core'
import { filterTimeline, type TimelineFilter, timelineHighlights, timelineOf } from '@loader/workflow'
import { sessionNameOf } from './schemas/session.ts'
import type { TimelineOutput } from './schemas/timeline.ts'

/** The decisions of the runtime with reasons. The limit counts entries; highlights cover all that match. */
export function timelineReading(
  recording: Recording,
  state: SessionState,
  { limit, ...filter }: TimelineFilter = {},
): TimelineOutput {
  const fitting = filterTimeline(timelineOf(recording), filter)
  return {
    session: sessionNameOf(state),
    highlights: timelineHighlights(fitting, state.ledger).map(({ topic, text }) => ({ topic, text })),
    entries: limit === undefined ? fitting : filterTimeline(fitting, { limit }),
  }
}
