import type { SessionState } from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import { isPlanHeld, lookingOnly } from './held-plan.ts'
import { permissionOf } from './permission-of.ts'

/**
 * The policy of the open turn: in the lane `explore`, and until a plan is approved, it is read-only, and no rule widens
 * that.
 */
export function policyOf({ policy, turn, mode, route }: SessionState): Policy {
  const applied = policy ?? nothingApplied
  return turn?.lane === 'explore' || isPlanHeld({ mode, route }) ? lookingOnly(applied) : applied
}

/** The policy of a session before its first `policy.applied`. */
const nothingApplied: Policy = {
  permission: permissionOf({ mode: 'read-only', rules: [] }),
  limits: {},
  audience: 'nobody',
}
