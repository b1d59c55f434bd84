import { compactionLimits } from '@loader/compaction'
import type { Limits, Policy } from '@loader/session-core/coding'

/** The budgets of a turn where the policy names no others. */
export const defaultLimits = {
  maxIterations: 50,
  maxNudges: 5,
  maxEmptyAnswers: 5,
  maxRecoveredCalls: 3,
  maxToolErrors: 3,
  maxAttempts: 5,
  maxCrashes: 3,
  maxCompactions: compactionLimits.maxCompactions,
  verificationRetries: 3,
  clarifyRounds: 2,
  keepLastMessages: compactionLimits.keepLastMessages,
  temperature: 0.3,
} as const satisfies Limits

/** Budgets as they hold: each of them has a value, but for those that nothing bounds unless the policy does. */
export type SettledLimits = Limits & { readonly [Name in keyof typeof defaultLimits]: number }

/** The limits of a policy, completed by the defaults. */
export function limitsOf(policy: Pick<Policy, 'limits'> | null): SettledLimits {
  const limits: Limits = policy?.limits ?? {}
  const named = Object.entries(limits).filter(([, value]) => value !== undefined)
  return { ...defaultLimits, ...Object.fromEntries(named) }
}
