import type { PermissionRule } from '@loader/session-core/coding'

/** Rules that come from one place. What lies in a project can come from a stranger. */
export interface RuleSource {
  readonly origin: 'project' | 'user' | 'session' | 'flag'
  readonly rules: readonly PermissionRule[]
}

/** Rules from all sources in one list, separated by whether they apply. */
export interface EffectiveRules {
  /** Those that hold. */
  readonly rules: readonly PermissionRule[]
  /** Those of the project that allow something and wait until the user trusts it. */
  readonly inert: readonly PermissionRule[]
}

/** Rules that deny or ask always hold; those of a project that allow hold only if the user trusts it. */
export function effectiveRules(sources: readonly RuleSource[], trust: 'trusted' | 'untrusted'): EffectiveRules {
  const rules: PermissionRule[] = []
  const inert: PermissionRule[] = []
  for (const { origin, rules: given } of sources) {
    for (const rule of given) {
      const waits = origin === 'project' && rule.permit === 'allow' && trust === 'untrusted'
      ;(waits ? inert : rules).push(rule)
    }
  }
  return { rules, inert }
}
