import type { Policy } from '@loader/session-core/coding'

const largestThreshold = 100_000
const windowShare = 0.75

/**
 * The size of a request, reply included, from which on it is compacted: three quarters of the context window, but no
 * more than 100,000 tokens, nor than was configured. The window has the last word: a threshold above it would be
 * useless.
 */
export function compactionThreshold({ limits, model }: Pick<Policy, 'limits' | 'model'> = { limits: {} }): number {
  const configured = Math.max(1, limits.compactAtTokens ?? largestThreshold)
  if (model?.contextWindow === undefined) return configured
  return Math.min(configured, largestThreshold, Math.max(1, Math.floor(windowShare * model.contextWindow)))
}
