import type { EntryKind, TimelineEntry, WorkflowMode } from '@loader/session-core/coding'
import { isAccountability } from './accountability.ts'

/** Which entries of a timeline to show. All conditions must hold. */
export interface TimelineFilter {
  readonly mode?: WorkflowMode
  readonly kind?: EntryKind
  /** The stage that judged: definition_of_done, verification, empty_response, … */
  readonly stage?: string
  /** Only entries about completion, repair and verification. */
  readonly accountability?: 'only'
  /** At most so many entries, the latest ones. */
  readonly limit?: number
}

/** The matching entries, in order. */
export function filterTimeline(timeline: Iterable<TimelineEntry>, filter: TimelineFilter = {}): TimelineEntry[] {
  const { mode, kind, stage, accountability, limit = Number.POSITIVE_INFINITY } = filter
  const fitting = [...timeline].filter(
    (entry) =>
      (mode === undefined || entry.mode === mode) &&
      (kind === undefined || entry.kind === kind) &&
      (stage === undefined || entry.policyStage === stage) &&
      (accountability === undefined || isAccountability(entry.kind)),
  )
  return fitting.slice(Math.max(0, fitting.length - limit))
}
