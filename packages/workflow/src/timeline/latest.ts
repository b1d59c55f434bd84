import type { TimelineEntry } from '@loader/session-core/coding'
import { isCompletion, isRoute } from './accountability.ts'

/** The latest entry that chose a mode. */
export function latestRoute(timeline: Iterable<TimelineEntry>): TimelineEntry | undefined {
  return [...timeline].findLast(({ kind }) => isRoute(kind))
}

/** The latest entry that judged completion. */
export function latestVerdict(timeline: Iterable<TimelineEntry>): TimelineEntry | undefined {
  return [...timeline].findLast(({ kind }) => isCompletion(kind))
}
