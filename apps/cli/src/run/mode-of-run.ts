import type { SessionState } from '@loader/session-core'
import { WorkflowMode } from '@loader/session-core/coding'
import { isPlanHeld } from '@loader/workflow'
import * as z from 'zod'
import type { Given } from '../arguments/given.ts'

/** The mode that the command line asks for. `--permission-mode plan` is how other agents call `--mode plan`. */
export function modeOfRun(given: Given): WorkflowMode | undefined {
  if (given.value('permission-mode') === 'plan') return 'plan'
  return z.optional(WorkflowMode).parse(given.value('mode'))
}

/** Whether the command line contradicts itself about the mode. */
export function modesDiffer(given: Given): boolean {
  return given.has('mode') && given.value('mode') !== modeOfRun(given)
}

/**
 * The task of a command line without words that asks for another mode while a plan waits for approval: that of the plan,
 * so that the plan counts as one for it. Empty where no plan waits.
 */
export function taskOfPlan(before: SessionState | undefined, given: Given): string {
  const mode = modeOfRun(given)
  if (before === undefined || before.turn !== null || mode === undefined || mode === 'plan') return ''
  if (!isPlanHeld(before) || before.plan === null) return ''
  return typeof before.task === 'string' ? before.task : 'Carry out the plan.'
}
