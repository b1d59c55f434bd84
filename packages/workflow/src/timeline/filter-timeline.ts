import type { EntryKind, TimelineEntry, WorkflowMode } from '@loader/session-core/coding'
import { isAccountability } from './accountability.ts'

/** Which entries of a timeline to show. All conditions must hold. */
export interface TimelineFilter {
  readonly mode?: WorkflowMode
  readonly kind?: EntryKind
  /** What judged: definition_of_done, verification, empty_response, … */
  readonly stage?: string
  /** Only what accounts for the work: completion, repair and verification. */
  readonly accountability?: 'only'
  /** The latest so many of those that fit. */
  readonly limit?: number
}

/** The entries that fit, in their order. */
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
