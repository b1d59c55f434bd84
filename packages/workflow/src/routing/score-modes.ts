import { score } from './score.ts'
import type { Signals } from './signals.ts'

export interface ModeScores {
  readonly clarify: number
  readonly plan: number
  readonly execute: number
}

/** Whether the router may choose clarification; it may not after it took place. */
export type Clarification = 'allowed' | 'over'

/** Scores the modes that the router may choose. */
export type Scorer = (signals: Signals, clarification: Clarification) => ModeScores

/** The default scorer of the router. */
export const scoreModes: Scorer = (signals, clarification) => {
  const { ambiguity, complexity, brief, verificationPressure, mutationPressure, recent } = signals
  const open = signals.openQuestions.length
  const hasBrief = brief === 'available'
  const clarify =
    ambiguity +
    (hasBrief ? 0 : 0.15) +
    Math.min(0.12, 0.04 * open) +
    (complexity < 0.55 ? 0.05 : 0) +
    (recent.clarify > 0 && open > 0 ? 0.04 : 0)
  const plan =
    complexity +
    verificationPressure +
    mutationPressure +
    (hasBrief ? 0.06 : 0) +
    (open > 0 ? 0.06 : 0) +
    (recent.reentry > 0 ? 0.06 : 0) +
    (recent.planRefresh > 0 ? 0.04 : 0)
  const execute =
    0.35 +
    (hasBrief ? 0.14 : 0) +
    (ambiguity < 0.35 ? 0.16 : 0) +
    (complexity < 0.45 ? 0.12 : 0) +
    (open === 0 ? 0.05 : 0) +
    (recent.verifySkip > 0 && verificationPressure === 0 ? 0.03 : 0)
  return { clarify: clarification === 'allowed' ? score(clarify) : 0, plan: score(plan), execute: score(execute) }
}
