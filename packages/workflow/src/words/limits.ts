import { compactionLimits } from '@loader/compaction'
import type { Limits, Policy } from '@loader/session-core/coding'

/** The default budgets of a turn. */
export const defaultLimits = {
  maxIterations: 50,
  maxNudges: 5,
  maxEmptyAnswers: 5,
  maxRecoveredCalls: 3,
  maxToolErrors: 3,
  maxAttempts: 5,
  maxWaitMs: 600_000,
  maxCrashes: 3,
  maxCompactions: compactionLimits.maxCompactions,
  verificationRetries: 3,
  clarifyRounds: 2,
  keepLastMessages: compactionLimits.keepLastMessages,
  temperature: 0.3,
} as const satisfies Limits

/** The budgets in force. Each has a value, except those that are unlimited by default. */
export type SettledLimits = Limits & { readonly [Name in keyof typeof defaultLimits]: number }

/** Kept, because each step asks for them and a policy never changes. */
const settled = new WeakMap<Limits, SettledLimits>()

/** The limits of a policy, completed by the defaults. */
export function limitsOf(policy: Pick<Policy, 'limits'> | null): SettledLimits {
  if (policy === null) return defaultLimits
  const known = settled.get(policy.limits)
  if (known !== undefined) return known
  const limits = completed(policy.limits)
  settled.set(policy.limits, limits)
  return limits
}

function completed(limits: Limits): SettledLimits {
  const named = Object.entries(limits).filter(([, value]) => value !== undefined)
  return { ...defaultLimits, ...Object.fromEntries(named) }
}
