import type { Plan } from '@loader/session-core/coding'
import { contractLines } from './contract.ts'
import { bulleted } from './one-line.ts'
import type { PlanReading } from './parse-plan.ts'

/** A plan to be stored. Both halves begin with the header that names their task. */
export function writtenPlan({ implementation, verification, steps, criteria }: PlanReading, task: string): Plan {
  const checked = verification === '' ? ['## Acceptance Criteria', ...bulleted(criteria)] : [verification]
  return {
    implementation: [...contractLines('plan', task), '', implementation].join('\n'),
    verification: [...contractLines('verification', task), '', ...checked].join('\n'),
    steps: [...steps],
  }
}
