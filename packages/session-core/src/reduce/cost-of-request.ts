import type { EventOf } from '../events/event.ts'
import { type Cost, type CostTotals, costTotals } from '../words/cost.ts'

/** The end of a request. */
export type RequestEnd = EventOf<'model.answered'> | EventOf<'model.failed'> | EventOf<'model.interrupted'>

/** What the cost of a request depends on besides its end. */
export interface RequestFacts {
  /** Whether any of the answer had arrived. */
  readonly arrived: boolean
  /** Whether the model runs on a machine of the user. */
  readonly local: boolean
  /** What it can cost at most, if that was estimated. */
  readonly atMostUsd?: number | undefined
}

/** Failures of requests that no model has worked on. */
const refused: ReadonlySet<string> = new Set([
  'rate_limited',
  'overloaded',
  'context_too_long',
  'auth',
  'bad_request',
  'model_changed',
])

/**
 * What a request cost. A request that was refused cost nothing. The cost of an answer that was cut off is not known,
 * because no server tells it any more; nor is that of a request after which the connection failed.
 */
export function costOfRequest(end: RequestEnd, { arrived, local, atMostUsd }: RequestFacts): CostTotals | undefined {
  if (end.type === 'model.failed' && refused.has(end.error.kind) && !arrived) return { usd: 0, known: 1 }
  const cost: Cost | undefined = end.type === 'model.answered' ? end.cost : undefined
  return costTotals(cost ?? (local ? { kind: 'local' } : undefined), atMostUsd)
}
