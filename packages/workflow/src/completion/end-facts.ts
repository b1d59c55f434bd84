import type { SessionState, Turn } from '@loader/session-core'
import { type Beside, couldWriteSince } from '@loader/session-core/coding'
import { checksOfUser } from '../goal/checks-of-user.ts'
import { checksWithheld, defineGoal, neededChecks } from '../goal/define-goal.ts'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { hasChanged } from '../goal/has-changed.ts'
import { finishToolName } from '../words/tools.ts'
import type { EndFacts } from '../judging/end-of-turn.ts'
import { judgementFrom } from '../judging/judgement-from.ts'
import type { CheckJudgement } from '../judging/judgement.ts'

/** Collects from the state the facts that decide how a turn ends. */
export function endFacts(state: SessionState, turn: Turn): EndFacts {
  const { policy, unknownCalls, goodCalls } = state
  const judgements = judgementsOf(state, turn)
  const beside = besideOf(state, turn)
  const canSay = policy?.tools?.names.includes(finishToolName) ?? false
  return {
    changed: hasChanged(state, turn),
    ...(beside !== undefined && { beside }),
    unknownCalls,
    goodCalls,
    checks: checksKnown(state, turn),
    ...(judgements !== undefined && { judgements }),
    ...(turn.statement !== undefined && { statement: turn.statement }),
    headless: policy?.audience === 'nobody' && canSay,
    asked: turn.asked !== undefined,
    expectsChange: false,
    strict: false,
  }
}

/**
 * Changes outside the tree: what the latest observation showed, and places that calls could change but that are not
 * observed.
 */
function besideOf({ workspace }: SessionState, { work }: Turn): Beside | undefined {
  if (work.lastEffectSeq === null) return undefined
  const { notLooked = [], ...seen } = workspace?.beside ?? {}
  const places = [...notLooked, ...(work.outside === true ? (['outside'] as const) : [])]
  const beside = { ...seen, ...(places.length > 0 && { notLooked: places }) }
  return Object.keys(beside).length === 0 ? undefined : beside
}

function checksKnown(state: SessionState, turn: Turn): EndFacts['checks'] {
  if (checksOfUser(state, turn).length > 0) return 'given'
  if (checksWithheld(state, turn)) return 'derived'
  const goal = goalOfTurn(state) ?? defineGoal(state, turn)
  return neededChecks(goal).length === 0 ? 'none' : 'derived'
}

/** A check without permission to run counts as not shown, so it can never make a turn end well. */
const withheld: CheckJudgement = {
  word: 'unverified',
  why: { kind: 'could_not_run', why: 'no_walls', alsoBefore: false },
  notes: { flaky: [], oldFailures: [], unaccepted: [], leftOut: [], installed: [] },
}

/**
 * Files changed again each time that the checks ran, and a background command is what could have changed them. The checks
 * say nothing about the files as they are now, and would not the next time either.
 */
function isNeverStill(state: SessionState, { verification, work, request }: Turn): boolean {
  if (verification === undefined || (request?.seq ?? 0) > verification.seq) return false
  const isOutdated = verification.seq < (work.lastEffectSeq ?? 0)
  return isOutdated && (verification.again ?? 0) >= mostAgain && couldWriteSince(state, verification.seq)
}

const mostAgain = 2

function staleOn({ tree = '', environment = '' }: NonNullable<Turn['verification']>['ground']): CheckJudgement {
  return { word: 'stale', about: { tree, environment }, notes: withheld.notes }
}

/** The judgement of every check of the goal; undefined until each is judged on the current files. */
function judgementsOf(state: SessionState, turn: Turn): readonly CheckJudgement[] | undefined {
  if (checksWithheld(state, turn)) return [withheld]
  const { verification, work } = turn
  const goal = goalOfTurn(state)
  if (verification === undefined || goal === null) return undefined
  if (isNeverStill(state, turn)) return neededChecks(goal).map(() => staleOn(verification.ground))
  if (verification.seq < (work.lastEffectSeq ?? 0)) return undefined
  const judged = neededChecks(goal).map(
    ({ id }) => verification.checks.find(({ checkId }) => checkId === id)?.judgement,
  )
  if (judged.some((each) => each === undefined)) return undefined
  return judged.flatMap((each) => {
    const judgement = each === undefined ? undefined : judgementFrom(each)
    return judgement === undefined || judgement.word === 'unchecked' || judgement.word === 'unknown' ? [] : [judgement]
  })
}
