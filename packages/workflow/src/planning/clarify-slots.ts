import type { Decision } from '@loader/session-core/coding'
import type { BriefSection } from './brief-reading.ts'

/** What clarification has to settle, in the order of asking. */
export const clarifySlots = [
  'desired_outcome',
  'non_goals',
  'acceptance_criteria',
  'constraints',
  'decision_boundaries',
  'likely_touchpoints',
] as const satisfies readonly BriefSection[]

export type ClarifySlot = (typeof clarifySlots)[number]
export type ClarifyStage = NonNullable<Decision['clarifyStage']>
export type ClarifyPressure = NonNullable<Decision['clarifyPressureKind']>

/** What must be known before work begins. */
export type ReadinessGate = 'non_goals' | 'decision_boundaries' | 'pressure_pass'
