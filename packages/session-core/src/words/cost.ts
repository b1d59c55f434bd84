import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { count, described, lazyObject, nonEmpty } from './schema.ts'

/** An amount of money, in units of its currency. */
const amount = /* @__PURE__ */ z.number().check(/* @__PURE__ */ z.gte(0))

/**
 * What a request cost, by the prices at the time of the answer. An unknown cost is absent, and never 0. A local model is
 * not on any price list, so it is said to be local.
 */
export const Cost = /* @__PURE__ */ z.discriminatedUnion('kind', [
  /* @__PURE__ */ lazyObject(() => ({
    kind: z.literal('priced'),
    amount: described(amount, 'in units of the currency'),
    currency: described(nonEmpty, 'USD'),
    source: described(nonEmpty, 'the list of prices and its version, the settings, or the provider'),
    date: described(z.optional(z.string()), 'day of the prices: 2026-09-23'),
  })),
  /* @__PURE__ */ lazyObject(() => ({ kind: z.literal('local') })),
])
export type Cost = Immutable<z.infer<typeof Cost>>

/** The highest prices that a model can have within its window, for estimates before a request. */
export const PriceCeiling = /* @__PURE__ */ z.discriminatedUnion('kind', [
  /* @__PURE__ */ lazyObject(() => ({
    kind: z.literal('priced'),
    input: described(amount, 'US dollars for a million tokens of the request, at most'),
    output: described(amount, 'US dollars for a million tokens of the answer, at most'),
    source: described(nonEmpty, 'the list of prices and its version, or the settings'),
    date: described(z.optional(z.string()), 'day of the prices'),
  })),
  /* @__PURE__ */ lazyObject(() => ({ kind: z.literal('local') })),
])
export type PriceCeiling = Immutable<z.infer<typeof PriceCeiling>>

/** What the requests of a turn or a session cost. */
export const CostTotals = /* @__PURE__ */ lazyObject(() => ({
  usd: described(amount, 'US dollars; sum of the known costs'),
  known: described(count, 'requests of known cost, those that cost nothing included'),
  local: described(z.optional(count), 'those of them that local models answered'),
  imported: described(z.optional(z.literal(true)), 'tokens were used elsewhere, whose cost is not known'),
  uncertainUsd: described(
    z.optional(amount),
    'what the other requests can have cost at most; only estimated under a budget',
  ),
}))
export type CostTotals = Immutable<z.infer<typeof CostTotals>>

/** Adds costs. Both are rounded to billionths, so that sums of the same costs are the same in any order. */
export function addCosts(one: CostTotals | undefined, other: CostTotals | undefined): CostTotals | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const uncertainUsd = rounded((one.uncertainUsd ?? 0) + (other.uncertainUsd ?? 0))
  const local = (one.local ?? 0) + (other.local ?? 0)
  return {
    usd: rounded(one.usd + other.usd),
    known: one.known + other.known,
    ...(local > 0 && { local }),
    ...((one.imported ?? other.imported) && { imported: true as const }),
    ...(uncertainUsd > 0 && { uncertainUsd }),
  }
}

/** The cost of one request as totals. Amounts in other currencies are not added up. */
export function costTotals(cost: Cost | undefined, uncertainUsd = 0): CostTotals | undefined {
  if (cost?.kind === 'local') return { usd: 0, known: 1, local: 1 }
  if (cost?.currency === 'USD') return { usd: rounded(cost.amount), known: 1 }
  return uncertainUsd > 0 ? { usd: 0, known: 0, uncertainUsd: rounded(uncertainUsd) } : undefined
}

function rounded(usd: number): number {
  return Math.round(usd * 1e9) / 1e9
}
