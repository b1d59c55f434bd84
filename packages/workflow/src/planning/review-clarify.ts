import type { Decided } from '../words/step.ts'
import { entry, type EntryReason } from '../timeline/entry.ts'
import { type AnswerAssessment, type AnsweredRound, assessAnswer } from './assess-answer.ts'
import { builtInQuestion } from './clarify-questions.ts'

export interface ClarifyReason extends Omit<EntryReason, 'mode'> {
  /** Whether another question follows. */
  readonly next: 'ask_again' | 'leave'
}

/** The entry for a reviewed round of clarification. */
export function clarifyEntry({ next, code, summary, ...details }: ClarifyReason): Decided {
  return entry({
    ...details,
    kind: next === 'ask_again' ? 'clarify_continue' : 'clarify_exit',
    mode: 'clarify',
    reasonCode: code,
    summary: `clarify: ${summary}`,
    ...(next === 'leave' && { scheduledNextMode: details.scheduledNextMode ?? 'execute' }),
  })
}

export interface ReviewInput extends AnsweredRound {
  /** The limit of rounds; at least one takes place. */
  readonly rounds: number
  readonly artifactPaths?: readonly string[]
}

export interface ClarifyReview {
  readonly entry: Decided
  readonly next: 'ask_again' | 'leave'
  readonly assessment: AnswerAssessment
}

type Outcome = Pick<ClarifyReason, 'next' | 'code' | 'summary'>

/** Decides after a round of clarification whether to ask another question, and why. */
export function reviewClarify({ rounds, artifactPaths = [], ...answered }: ReviewInput): ClarifyReview {
  const assessment = assessAnswer(answered)
  const outcome = outcomeOf(assessment, answered.round, Math.max(1, rounds))
  const { unresolved, pressure, stage, pressurePassComplete, missingGates, isShort, isBroad } = assessment
  const reviewed = clarifyEntry({
    ...outcome,
    clarifyStage: stage,
    ...(pressure && { clarifyPressureKind: pressure }),
    pressurePassComplete,
    missingReadinessGates: missingGates,
    unresolvedQuestions: unresolved.map((slot) => builtInQuestion(slot)),
    pressureSummary: [...(isShort ? ['the answer is short'] : []), ...(isBroad ? ['the answer is broad'] : [])],
    signalSummary: [`round=${answered.round}`, `rounds=${Math.max(1, rounds)}`],
    evidenceSummary: unresolved.map((slot) => `not settled: ${slot.replaceAll('_', ' ')}`),
    artifactPaths,
  })
  return { entry: reviewed, next: outcome.next, assessment }
}

function outcomeOf(
  { unresolved, pressure, pressurePassComplete }: AnswerAssessment,
  round: number,
  rounds: number,
): Outcome {
  if (unresolved.length === 0) {
    return { next: 'leave', code: 'clarify_complete', summary: 'everything that had to be settled is settled' }
  }
  const count = `${unresolved.length} ${unresolved.length === 1 ? 'question is' : 'questions are'} open`
  if (round < rounds) {
    return pressure === null
      ? { next: 'ask_again', code: 'clarify_follow_up_needed', summary: count }
      : { next: 'ask_again', code: 'clarify_pressure_pass_required', summary: `${count}, and no boundary was named` }
  }
  return round >= 2 && !pressurePassComplete
    ? {
        next: 'leave',
        code: 'clarify_budget_exhausted_without_pressure_pass',
        summary: `all ${rounds} rounds are used, ${count}, and no boundary was named`,
      }
    : { next: 'leave', code: 'clarify_budget_exhausted', summary: `all rounds are used, and ${count}` }
}
