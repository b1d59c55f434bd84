import * as z from 'zod/mini'
import { addCosts, CostTotals } from './cost.ts'
import type { Immutable } from './immutable.ts'
import { count, described, lazyObject } from './schema.ts'

/** Tokens of one request as the server reported them; what it did not report is absent, never guessed. */
export const Usage = /* @__PURE__ */ lazyObject(() => ({
  inputTokens: described(z.optional(count), 'tokens of the request, cached ones included'),
  outputTokens: described(z.optional(count), 'tokens of the answer, reasoning included'),
  reasoningTokens: described(z.optional(count), 'the part of the answer that was reasoning'),
  cacheReadTokens: described(z.optional(count), 'the part of the request that was read from a cache'),
  cacheWriteTokens: described(z.optional(count), 'the part of the request that was written to a cache'),
}))
export type Usage = Immutable<z.infer<typeof Usage>>

/** What a turn, or a whole session, has used. */
export const Totals = /* @__PURE__ */ lazyObject(() => ({
  inputTokens: described(count, 'sum over all requests'),
  outputTokens: described(count, 'sum over all requests'),
  reasoningTokens: described(count, 'sum over all requests'),
  cacheReadTokens: described(count, 'sum over all requests'),
  cacheWriteTokens: described(count, 'sum over all requests'),
  requests: described(count, 'requests that reached the model, failed ones included'),
  toolCalls: described(count, 'calls that were answered, whatever the outcome'),
  iterations: described(count, 'answers that were asked for, not counting second attempts'),
  turns: described(count, 'turns that ended'),
  cost: described(z.optional(CostTotals), 'absent when nothing is known about it'),
}))
export type Totals = Immutable<z.infer<typeof Totals>>

/** Totals of a session in which nothing was used yet; the start for `addTotals`. */
export const noTotals: Totals = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  requests: 0,
  toolCalls: 0,
  iterations: 0,
  turns: 0,
}

/** Adds usage to totals. What `more` does not name counts as zero. */
export function addTotals(totals: Totals, more: { readonly [Key in keyof Totals]?: Totals[Key] | undefined }): Totals {
  const cost = addCosts(totals.cost, more.cost)
  return {
    inputTokens: totals.inputTokens + (more.inputTokens ?? 0),
    outputTokens: totals.outputTokens + (more.outputTokens ?? 0),
    reasoningTokens: totals.reasoningTokens + (more.reasoningTokens ?? 0),
    cacheReadTokens: totals.cacheReadTokens + (more.cacheReadTokens ?? 0),
    cacheWriteTokens: totals.cacheWriteTokens + (more.cacheWriteTokens ?? 0),
    requests: totals.requests + (more.requests ?? 0),
    toolCalls: totals.toolCalls + (more.toolCalls ?? 0),
    iterations: totals.iterations + (more.iterations ?? 0),
    turns: totals.turns + (more.turns ?? 0),
    ...(cost && { cost }),
  }
}

/** Whether the cost of every request is known. Otherwise the sum is a lower bound. */
export function isCostKnown({ cost, requests }: Totals): boolean {
  return requests <= (cost?.known ?? 0) && cost?.imported !== true
}
