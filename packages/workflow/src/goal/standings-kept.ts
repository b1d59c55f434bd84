import type { SessionState } from '@loader/session-core'
import type { CheckStanding, VerificationGround } from '@loader/session-core/coding'
import { judgementFrom } from '../judging/judgement-from.ts'
import { objects } from '../judging/judgement.ts'
import { neededChecks } from './define-goal.ts'
import { evidenceOf } from './evidence-of.ts'
import { goalOfTurn } from './goal-of-turn.ts'

/**
 * Where checks of the goal stand that were judged on the same files in the same environment. What objected is judged anew
 * where it is compared with other files by now, for instance because the user has accepted some.
 */
export function standingsKept(state: SessionState, ground: VerificationGround): readonly CheckStanding[] {
  const { tree, environment, before } = ground
  const goal = goalOfTurn(state)
  if (goal === null || tree === undefined) return []
  return neededChecks(goal).flatMap((check) => {
    const run = evidenceOf(state, check)
    if (run?.judgement === undefined || run.tree !== tree || run.environment !== environment) return []
    if (run.before !== before && objects(judgementFrom(run.judgement).word)) return []
    return [{ checkId: check.id, tree, environment, judgement: run.judgement }]
  })
}
