import { isCostKnown, type Totals } from '@loader/session-core'

/** $12.30, $0.0225, <$0.0001: short enough for a column. */
export function dollars(usd: number): string {
  if (usd === 0) return '$0'
  if (usd < 0.0001) return '<$0.0001'
  return `$${usd >= 1 ? usd.toFixed(2) : usd.toFixed(4)}`
}

/**
 * What requests cost, in words: `$0.0225`; `local` for models of the user; `≥ $0.0225` when the cost of some
 * requests is unknown or when only some were counted; `?` when no cost is known; empty when there were no requests.
 */
export function costText(totals: Totals, isPart = false): string {
  const { cost, requests } = totals
  if (requests === 0 && cost === undefined) return ''
  if (cost === undefined || cost.known === 0) return '?'
  const isLocal = cost.usd === 0 && (cost.local ?? 0) > 0
  if (!isPart && isCostKnown(totals)) return isLocal ? 'local' : dollars(cost.usd)
  return cost.usd === 0 ? '?' : `≥ ${dollars(cost.usd)}`
}

/** The share of the input that was read from a cache, from 0 to 1; undefined when there was no input. */
export function cachedShare({ inputTokens, cacheReadTokens }: Totals): number | undefined {
  return inputTokens === 0 ? undefined : Math.min(1, cacheReadTokens / inputTokens)
}
