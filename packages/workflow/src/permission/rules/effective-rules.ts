import type { PermissionRule } from '@loader/session-core/coding'

/** Rules from one source. Files in a project can come from a stranger. */
export interface RuleSource {
  readonly origin: 'project' | 'user' | 'session' | 'flag'
  readonly rules: readonly PermissionRule[]
}

/** The rules of all sources, sorted by whether they apply. */
export interface EffectiveRules {
  /** Rules that apply. */
  readonly rules: readonly PermissionRule[]
  /** Rules of the project that allow something and wait until the user trusts the project. */
  readonly inert: readonly PermissionRule[]
}

/** Rules that deny or ask always apply; those of a project that allow apply only if the user trusts it. */
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
