import { type SessionState, shownText } from '@loader/session-core'
import type { Brief, Plan } from '@loader/session-core/coding'
import { isOfAnotherTask } from './contract.ts'

export interface Artifacts {
  readonly brief: Brief | null
  readonly plan: Plan | null
}

/** The brief and the plan of the current task. Those of an earlier task are ignored. */
export function artifactsOf({ brief, plan, task }: SessionState): Artifacts {
  const wanted = shownText(task ?? '')
  return {
    brief: brief === null || isOfAnotherTask(brief.text, wanted) ? null : brief,
    plan: plan === null || isOfAnotherTask(plan.implementation, wanted) ? null : plan,
  }
}
