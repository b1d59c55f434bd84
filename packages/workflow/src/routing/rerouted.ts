import type { Decided } from '../move.ts'

/** A route that was chosen again, once clarification was over: it is handed on, and its code says after what. */
export function rerouted(route: Decided, after: 'clarify' | 'drift'): Decided {
  return {
    ...route,
    kind: 'handoff',
    decisionKind: 'handoff',
    reasonCode: `post_${after}_${route.reasonCode}`,
  }
}
