import type { SessionState, Turn } from '@loader/session-core'
import type { Check, Goal, TimelineEntry } from '@loader/session-core/coding'
import { evidenceOf } from '../goal/evidence-of.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'
import { judgementSoFar } from './judgement-so-far.ts'

/** One go at the checks of a goal. */
export interface Attempt {
  readonly number: number
  /** The entry that began it. */
  readonly begun: TimelineEntry
  /** What was decided since. */
  readonly entries: readonly TimelineEntry[]
  /** How many there were in this judgement, this one included. */
  readonly inJudgement: number
}

/** The attempt that is under way: since it began, nobody but its checks has done anything. */
export function openAttempt(state: SessionState, turn: Turn): Attempt | undefined {
  const { entries } = judgementSoFar(state, turn)
  const begins = entries.filter(beginsAttempt)
  const begun = begins.at(-1)
  if (begun === undefined) return undefined
  const since = entries.filter(({ seq }) => seq > begun.seq)
  return { number: numberOf(begun), begun, entries: since, inJudgement: begins.length }
}

/** The number of the latest attempt of the turn; 0 before the first. */
export function latestAttemptNumber(state: SessionState, turn: Turn): number {
  const begun = decisionsOfTurn(state, turn).findLast(beginsAttempt)
  return begun === undefined ? 0 : numberOf(begun)
}

export function attemptId(number: number): string {
  return `verification-attempt-${number}`
}

/** Whether the check ran in this attempt. The entry that began it names the runs that were there already. */
export function hasRun(state: SessionState, { begun }: Attempt, check: Check): boolean {
  const evidence = evidenceOf(state, check)
  if (evidence === undefined) return false
  return !(begun.evidenceProvenance ?? []).some(({ source }) => source === sourceOf(evidence.runId))
}

/** Whether it was written down how the check ended in this attempt. */
export function isRecorded({ entries }: Attempt, { command }: Check): boolean {
  return entries.some(({ reasonCode, verificationObservations: [observation] = [] }) => {
    return reasonCode.startsWith('verification_command_') && observation?.command === command
  })
}

/** Where a reason was seen: in that run of a check. */
export function sourceOf(runId: string): string {
  return `check.finished ${runId}`
}

/** Checks that stand for a criterion that nobody has waived. */
export function neededChecks({ criteria, checks }: Goal): readonly Check[] {
  const needed = new Set(criteria.filter(({ waived }) => waived === undefined).flatMap(({ checkIds }) => checkIds))
  return checks.filter(({ id }) => needed.has(id))
}

function beginsAttempt({ reasonCode }: TimelineEntry): boolean {
  return reasonCode === 'verification_pending'
}

function numberOf({ verificationObservations: [observation] = [] }: TimelineEntry): number {
  return observation?.attemptNumber ?? 1
}
