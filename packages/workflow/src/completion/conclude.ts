import type { SessionState, Turn } from '@loader/session-core'
import type { Goal } from '@loader/session-core/coding'
import { neededChecks } from '../goal/define-goal.ts'
import { evidenceOf } from '../goal/evidence-of.ts'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import type { EndOfTurn } from '../judging/end-of-turn.ts'
import { judgementWords } from '../judging/judgement-words.ts'
import type { TurnJudgement } from '../judging/judge-turn.ts'
import type { JudgementWord } from '../judging/judgement.ts'
import type { Step, Recorded } from '../words/step.ts'
import { reentryEntry } from '../timeline/route-entry.ts'
import { verifyEntry, verifySkipEntry } from '../timeline/verify-entry.ts'
import { beforeAfter } from './before-after.ts'
import { acceptedBeforehand } from './accepted-beforehand.ts'
import { retriesLeft, retryBudget } from './budgets.ts'
import { sendBack, endTurn } from './decisions.ts'
import { checkFailedNote, endedUnverifiedNote, stillFailingNote } from './notes.ts'
import { observed, provenanceOf } from './observations.ts'
import { resultsOf } from './results.ts'

const stage = 'definition_of_done'

type Ended = Extract<EndOfTurn, { readonly next: 'end' }>

/** Everything that decides the end of the turn is known: finishes it or sends the model back. */
export function concludeStep(state: SessionState, turn: Turn, end: Ended): Step {
  const goal = goalOfTurn(state)
  const { judgement } = end
  const judged = goal === null || judgement === undefined ? [] : checkEntries(state, turn, goal)
  if (judgement === undefined) return withoutJudgement(state, end)
  if (judgement.word === 'failed' && goal !== null && end.how !== 'blocked') {
    return retriesLeft(state, turn) > 0 ? toFix(state, turn, goal, judged) : exhausted(state, turn, goal, judged)
  }
  if (isStillRed(judgement, turn) && goal !== null && end.how !== 'blocked' && retriesLeft(state, turn) > 0) {
    return toFix(state, turn, goal, judged)
  }
  const accepted = acceptedBeforehand(state, turn, judgement)
  if (accepted.length > 0) return { type: 'decide', events: accepted }
  const { said } = judgementWords(judgement)
  const results = goal === null ? {} : resultsOf(state, turn, goal)
  const reason = { ...results, stage, code: codes[judgement.word], summary: said }
  return endTurn(state, 'complete', reason, [...judged, ...beforeAfter(state, turn, judgement)])
}

/**
 * A check that failed before the work gets one retry per tree, because fixing it may be the task. If the model repeats
 * its answer without changing files, the turn ends.
 */
function isStillRed(judgement: TurnJudgement, { verification }: Turn): boolean {
  const isRed = judgement.word === 'unverified' && judgement.why.kind === 'red_before_and_now'
  return (isRed || judgement.notes.oldFailures.length > 0) && verification?.failedOn !== verification?.ground.tree
}

/** Reason codes of older versions, kept for programs that read them; the judgement itself holds more detail. */
const codes: Readonly<Record<JudgementWord, string>> = {
  verified: 'verification_passed',
  accepted: 'verification_passed',
  present: 'presence_only_accepted',
  unchecked: 'verification_commands_missing',
  held: 'verification_inconclusive',
  rests_on: 'verification_inconclusive',
  unverified: 'verification_inconclusive',
  unknown: 'verification_inconclusive',
  stale: 'verification_inconclusive',
  failed: 'verification_retry_budget_exhausted',
}

function withoutJudgement(state: SessionState, { how, beside }: Ended): Step {
  const unchanged = beside === undefined ? 'no file was changed' : 'no file of the project was changed'
  const summary = how === 'blocked' ? 'the model says that it cannot go on' : unchanged
  const skipped = verifySkipEntry({
    mode: state.mode,
    code: 'verification_not_required',
    summary: `skipped, because ${summary}`,
    evidenceProvenance: [{ category: 'verification', source: 'workspace', summary, status: 'context' }],
    verificationObservations: [{ status: 'skipped', summary: 'no check is needed' }],
  })
  const reason = {
    stage,
    code: 'non_mutating_response_accepted',
    summary: `ended, because ${summary}`,
    evidenceProvenance: [{ category: 'verification', source: 'workspace', summary, status: 'context' as const }],
    verificationObservations: [{ status: 'skipped' as const, summary: 'no check is needed' }],
  }
  return endTurn(state, 'complete', reason, [{ type: 'workflow.decided', entry: skipped }])
}

function toFix(state: SessionState, turn: Turn, goal: Goal, judged: readonly Recorded[]): Step {
  const { verification } = turn
  const tree = verification?.ground.tree
  const isSame = tree !== undefined && verification?.failedOn === tree
  const code = isSame ? 'verification_failed_no_new_changes' : 'verification_failed_reentry'
  const summary = isSame
    ? 'asked to go on, because the checks have failed and nothing has changed since'
    : 'back to work, because the checks have failed'
  const reentry: Recorded = {
    type: 'workflow.decided',
    entry: reentryEntry({ mode: 'execute', code, summary }),
  }
  const attempt = { attempt: verification?.attempt ?? 1, budget: retryBudget(state) }
  const note = isSame ? stillFailingNote(state, goal) : checkFailedNote(state, goal, attempt)
  const reason = { ...resultsOf(state, turn, goal), stage, code, summary }
  return sendBack(state, turn, reason, { note, answer: 'withdrawn', asks: 'to_fix', before: [...judged, reentry] })
}

/** No retry is left: the turn ends, and a note tells the model about the failures in its next turn. */
function exhausted(state: SessionState, turn: Turn, goal: Goal, judged: readonly Recorded[]): Step {
  const reason = {
    ...resultsOf(state, turn, goal),
    stage,
    code: codes.failed,
    summary: 'ended with failing checks, and no retry is left',
  }
  const settled = endTurn(state, 'complete', reason, judged)
  if (settled.type !== 'decide') return settled
  const note = endedUnverifiedNote(state, goal)
  return {
    ...settled,
    events: settled.events.map((event, index) =>
      event.type === 'workflow.decided' && index === settled.events.length - 1 ? { ...event, note } : event,
    ),
  }
}

/** One timeline entry for each check. */
function checkEntries(state: SessionState, turn: Turn, goal: Goal): readonly Recorded[] {
  const attempt = turn.verification?.attempt ?? 1
  return neededChecks(goal).flatMap((check): Recorded[] => {
    const evidence = evidenceOf(state, check)
    if (evidence === undefined) return []
    const observation = observed(check, evidence, attempt)
    const entry = verifyEntry({
      mode: state.mode,
      code: `verification_command_${observation.status}`,
      summary: observation.summary,
      evidenceProvenance: [provenanceOf(check, evidence)],
      verificationObservations: [observation],
    })
    return [{ type: 'workflow.decided', entry }]
  })
}
