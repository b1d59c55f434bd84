import type { SessionState } from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import type { PermissionCall } from './permit-call.ts'
import { wallsState } from './reach.ts'

/** Decisions that leave the session planning. The runtime's own reasons to plan lead on to the work by themselves. */
const held: ReadonlySet<string> = new Set(['explicit_request', 'plan_awaits_approval', 'plan_declined'])

/**
 * Whether the user asked for a plan and has not approved it. Nothing may change until then, in this turn and in all that
 * follow: only another mode that the user asks for, or the approval, ends it. A session that was rewound to its planning
 * counts as held, because the latest route is not the one that it returned to.
 */
export function isPlanHeld({ mode, route }: Pick<SessionState, 'mode' | 'route'>): boolean {
  return mode === 'plan' && (route?.mode !== 'plan' || held.has(route.reasonCode))
}

/** The policy while a plan is held: looking only, and no rule widens that. */
export function lookingOnly(policy: Policy): Policy {
  const rules = policy.permission.rules.filter(({ permit }) => permit !== 'allow')
  return { ...policy, permission: { ...policy.permission, mode: 'read-only', rules } }
}

/**
 * Why a call must not run before the plan is approved. No rule, hook or answer of the user comes before this: whether a
 * call looks is known by its reach, which walls enforce, and not by the words of a command.
 */
export function whyPlanForbids({ examined }: PermissionCall, { walls }: Policy): string | undefined {
  if (examined?.question !== undefined) return undefined
  if (examined?.reach !== 'look') return `${untilApproved}. Look around, and answer with the plan`
  if (examined.command === undefined || wallsState(walls) === 'held') return undefined
  return `${untilApproved}, and there are no walls that hold commands to that. Use the tools that read`
}

const untilApproved = 'nothing may change until the user approves the plan'
