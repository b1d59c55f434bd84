import { oneLine } from './one-line.ts'
import { parsePlan, planSeparator, type PlanReading } from './parse-plan.ts'

/**
 * The plan that stands where none was written: the task is its one step and its one criterion. It has no command of
 * its own: one that cannot fail would verify anything.
 */
export function fallbackPlan(task: string): PlanReading {
  const wanted = oneLine(task)
  return parsePlan(
    `## Execution Order\n1. ${wanted}\n${planSeparator}\n## Acceptance Criteria\n- ${wanted}\n\n## Verification Commands`,
    task,
  )
}
