import type { SessionState } from '@loader/session-core'
import type { CheckStanding, VerificationGround } from '@loader/session-core/coding'
import { judgementFrom } from '../judging/judgement-from.ts'
import { objects } from '../judging/judgement.ts'
import { neededChecks } from './define-goal.ts'
import { evidenceOf } from './evidence-of.ts'
import { goalOfTurn } from './goal-of-turn.ts'

/**
 * Judgements of checks that still apply, because they were made on the same files in the same environment. An objection
 * is judged again if the tree to compare with has moved, for instance because the user accepted files.
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
