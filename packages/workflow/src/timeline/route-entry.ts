import type { DecisionKind, EntryKind } from '@loader/session-core/coding'
import type { Decided } from '../words/step.ts'
import { entry, type EntryReason } from './entry.ts'

export interface RouteReason extends EntryReason {
  readonly decisionKind: DecisionKind
}

/** The entry for a chosen mode. `decisionKind` decides between route, handoff and reentry. */
export function routeEntry({ mode, code, summary, decisionKind, ...details }: RouteReason): Decided {
  return entry({
    kind: kindOf(decisionKind),
    mode,
    reasonCode: code,
    summary: `${mode}: ${summary}`,
    decisionKind,
    ...details,
  })
}

/** The entry for a mode that is done and hands over to the next. */
export function handoffEntry(reason: Omit<EntryReason, 'decisionKind'>): Decided {
  return routeEntry({ ...reason, decisionKind: 'handoff' })
}

/** The entry for a return to an earlier mode. */
export function reentryEntry(reason: Omit<EntryReason, 'decisionKind'>): Decided {
  return routeEntry({ ...reason, decisionKind: 'reentry' })
}

function kindOf(decisionKind: DecisionKind): EntryKind {
  switch (decisionKind) {
    case 'handoff':
    case 'reentry':
      return decisionKind
    case 'initial_route':
    case 'requested':
    case 'artifact_reuse':
    case 'forced':
      return 'route'
    default:
      return decisionKind satisfies never
  }
}
