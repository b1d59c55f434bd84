import type { SessionState, Turn } from '@loader/session-core'
import type { EvidenceProvenance, Goal, VerificationObservation } from '@loader/session-core/coding'
import { neededChecks } from '../goal/define-goal.ts'
import { evidenceOf } from '../goal/evidence-of.ts'
import { observed, provenanceOf } from './observations.ts'

export interface CheckResults {
  readonly evidenceProvenance: readonly EvidenceProvenance[]
  readonly verificationObservations: readonly VerificationObservation[]
}

/** The latest result of every check of the goal, sorted into passed and failed. */
export function resultsOf(state: SessionState, turn: Turn, goal: Goal): CheckResults {
  const attempt = turn.verification?.attempt ?? 1
  const results = neededChecks(goal).map((check) => {
    const run = evidenceOf(state, check)
    if (run !== undefined) return { reason: provenanceOf(check, run), observation: observed(check, run, attempt) }
    const summary = `\`${check.command}\` has no result`
    return {
      reason: { category: 'verification', source: 'goal', summary, status: 'missing' as const, subject: check.command },
      observation: { status: 'missing' as const, summary, command: check.command, kind: check.kind },
    }
  })
  return {
    evidenceProvenance: results.map(({ reason }) => reason),
    verificationObservations: results.map(({ observation }) => observation),
  }
}
