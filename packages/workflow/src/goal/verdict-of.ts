import type { SessionState } from '@loader/session-core'
import type { Check, Criterion, Verdict } from '@loader/session-core/coding'
import { acceptJudgement } from '../judging/accept-judgement.ts'
import { verdictFor } from '../judging/exit-code.ts'
import { type CheckJudgement, worstFirst } from '../judging/judgement.ts'
import { judgementFrom } from '../judging/judgement-from.ts'
import { judgementWords } from '../judging/judgement-words.ts'
import type { TurnJudgement } from '../judging/judge-turn.ts'
import { evidenceOf } from './evidence-of.ts'
import { goalOfTurn } from './goal-of-turn.ts'

/** The verdict on a criterion or a goal, with the reasons for it. */
export interface Standing {
  readonly verdict: Verdict
  readonly judgement?: TurnJudgement
  /** Why, in words. */
  readonly reasons: readonly string[]
}

/**
 * The verdict on one criterion. Only `check.finished` and the acceptance of the user count in its favour; answers,
 * outputs of calls and files do not.
 */
export function verdictOf(criterion: Criterion, state: SessionState): Standing {
  if (criterion.waived) {
    const { by, reason } = criterion.waived
    return { verdict: 'waived', reasons: [`waived by ${by}${reason === undefined ? '' : `: ${reason}`}`] }
  }
  const goal = goalOfTurn(state)
  const checks = goal?.checks.filter(({ id }) => criterion.checkIds.includes(id)) ?? []
  if (checks.length === 0) return { verdict: 'unverified', reasons: ['no check stands for it'] }
  return worst(checks.map((check) => standingOf(state, check)))
}

/** The verdict on the whole goal: that of its worst criterion. Undefined if the turn has no goal. */
export function standing(state: SessionState): Standing | undefined {
  const goal = goalOfTurn(state)
  if (goal === null) return undefined
  if (goal.criteria.length === 0) return { verdict: 'unverified', reasons: ['no check is known'] }
  return worst(goal.criteria.map((criterion) => verdictOf(criterion, state)))
}

/** The verdict on one check. */
function standingOf(state: SessionState, check: Check): Standing {
  const name = `\`${check.command}\``
  const run = evidenceOf(state, check)
  if (run === undefined) return { verdict: 'unverified', reasons: [`${name} was not run`] }
  if (run.judgement === undefined) {
    const why =
      run.room === undefined ? 'it was checked by a version that did not keep what a judgement needs' : 'it was cut off'
    return run.outcome === 'failed' && run.room === undefined
      ? { verdict: 'failed', reasons: [`${name} failed`] }
      : { verdict: 'unverified', reasons: [`${name}: ${why}`] }
  }
  const judgement = judgementNow(state, judgementFrom(run.judgement), run.tree)
  const { said, notes } = judgementWords(judgement)
  return { verdict: verdictFor(judgement.word), judgement, reasons: [`${name}: ${said}`, ...notes] }
}

/** The judgement, including what the user has accepted since for the latest observed tree. */
function judgementNow(
  { acceptances, workspace }: SessionState,
  judgement: TurnJudgement,
  tree: string | undefined,
): TurnJudgement {
  if (judgement.word === 'unchecked' || judgement.word === 'unknown') return judgement
  const seen = workspace?.tree?.id
  if (tree !== undefined && seen !== undefined && seen !== tree) {
    return { word: 'stale', about: { tree, environment: '' }, notes: judgement.notes }
  }
  return acceptances
    .filter((it) => it.tree === undefined || it.tree === tree)
    .reduce((so: CheckJudgement, it) => acceptJudgement(so, it), judgement)
}

function worst(standings: readonly Standing[]): Standing {
  const rank = ({ verdict, judgement }: Standing): number =>
    judgement === undefined ? worstFirst.indexOf(wordOf(verdict)) : worstFirst.indexOf(judgement.word)
  const [first = { verdict: 'unverified' as const, reasons: [] }] = standings.toSorted((a, b) => rank(a) - rank(b))
  const same = standings.filter(({ verdict }) => verdict === first.verdict)
  return { ...first, reasons: [...new Set(same.flatMap(({ reasons }) => reasons))] }
}

function wordOf(verdict: Verdict): TurnJudgement['word'] {
  return verdict === 'waived' ? 'accepted' : verdict
}
