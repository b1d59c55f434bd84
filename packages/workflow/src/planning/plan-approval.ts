import { routeEntry } from '../timeline/route-entry.ts'
import type { Decided } from '../words/step.ts'

/** The decisions about a plan that the user has to approve. Their codes tell whether it is still held. */
export function planAwaits(): Decided {
  return routeEntry({
    mode: 'plan',
    code: 'plan_awaits_approval',
    summary: 'no plan was approved yet',
    decisionKind: 'requested',
    scheduledNextMode: 'execute',
  })
}

export function planApproved(): Decided {
  return routeEntry({
    mode: 'execute',
    code: 'plan_approved',
    summary: 'the user approved the plan',
    decisionKind: 'handoff',
  })
}

export function planDeclined(): Decided {
  return routeEntry({
    mode: 'plan',
    code: 'plan_declined',
    summary: 'the user wants another plan',
    decisionKind: 'requested',
    scheduledNextMode: 'execute',
  })
}
