import type { Policy } from '@loader/session-core/coding'

const largestThreshold = 100_000
const windowShare = 0.75

/**
 * The size of a request, including its reply, from which on the window is compacted: three quarters of the context
 * window, at most 100,000 tokens, or less if configured. It never exceeds the window, where it would have no effect.
 */
export function compactionThreshold({ limits, model }: Pick<Policy, 'limits' | 'model'> = { limits: {} }): number {
  const configured = Math.max(1, limits.compactAtTokens ?? largestThreshold)
  if (model?.contextWindow === undefined) return configured
  return Math.min(configured, largestThreshold, Math.max(1, Math.floor(windowShare * model.contextWindow)))
}
