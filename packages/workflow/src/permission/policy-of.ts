import type { SessionState } from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import { permissionOf } from './permission-of.ts'

/** The policy of the open turn: in the lane `explore` it is read-only, and no rule widens that. */
export function policyOf({ policy, turn }: SessionState): Policy {
  const applied = policy ?? nothingApplied
  if (turn?.lane !== 'explore') return applied
  const rules = applied.permission.rules.filter(({ permit }) => permit !== 'allow')
  return { ...applied, permission: { ...applied.permission, mode: 'read-only', rules } }
}

/** The policy of a session before its first `policy.applied`. */
const nothingApplied: Policy = {
  permission: permissionOf({ mode: 'read-only', rules: [] }),
  limits: {},
  audience: 'nobody',
}
