import type { Ledger, TimelineEntry } from '@loader/session-core/coding'
import { explainEntry } from './explain-entry.ts'
import { filterTimeline, type TimelineFilter } from './filter-timeline.ts'
import { type Highlight, timelineHighlights } from './highlights.ts'

export interface TimelineProjection {
  /** Of all that fits, whatever the limit. */
  readonly highlights: readonly Highlight[]
  readonly lines: readonly { readonly entry: TimelineEntry; readonly text: string }[]
}

/** A timeline to be read: highlights first, then each entry in a line. */
export function projectTimeline(
  { timeline, ledger }: { readonly timeline: Iterable<TimelineEntry>; readonly ledger: Ledger },
  { limit, ...filter }: TimelineFilter = {},
): TimelineProjection {
  const fitting = filterTimeline(timeline, filter)
  const shown = limit === undefined ? fitting : filterTimeline(fitting, { limit })
  return {
    highlights: timelineHighlights(fitting, ledger),
    lines: shown.map((entry) => ({ entry, text: explainEntry(entry) })),
  }
}
