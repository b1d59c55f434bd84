import type { SessionState, Turn } from '@loader/session-core'
import type { TrialFacts } from '@loader/session-core/coding'
import { neededChecks } from '../goal/define-goal.ts'
import { evidenceOf } from '../goal/evidence-of.ts'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { beforeAt, moveBefore } from '../judging/before-tree.ts'
import type { TurnJudgement } from '../judging/judge-turn.ts'
import type { Recorded } from '../words/step.ts'

/**
 * Updates the tree that later checks compare with: a verified turn moves it forward, a turn that rests on changes
 * leaves them for the user to accept.
 */
export function beforeAfter(state: SessionState, turn: Turn, judgement: TurnJudgement): readonly Recorded[] {
  const ground = turn.verification?.ground
  if (ground?.tree === undefined) return []
  const { seq: _seq, ...before } = state.before ?? { tree: beforeAt(ground.before ?? ground.tree), seq: 0 }
  const unaccepted = before.unaccepted ?? []
  if (judgement.word === 'rests_on' && judgement.what === 'aside') {
    const all = [...new Set([...unaccepted, ...judgement.files])].toSorted()
    if (all.length === unaccepted.length) return []
    return [{ type: 'before.moved', why: 'rests_on', before: { ...before, unaccepted: all } }]
  }
  if (judgement.word !== 'verified') return []
  const { product, fresh } = changesIn(state)
  const aside = fresh.map((path) => ({ path, change: 'new' as const }))
  const tree = moveBefore(before.tree, { kind: 'verified', tree: ground.tree, product, aside })
  const { packages = before.packages } = ground
  return [{ type: 'before.moved', why: 'verified', before: { ...before, tree, packages, unaccepted } }]
}

/**
 * The changes that every check sorts as product or as new; a path that one check sorts as part of itself is left out.
 */
function changesIn(state: SessionState): { readonly product: readonly string[]; readonly fresh: readonly string[] } {
  const goal = goalOfTurn(state)
  const all = (goal === null ? [] : neededChecks(goal)).flatMap((check): TrialFacts['changed'][] => {
    const trial = evidenceOf(state, check)?.trial
    return trial === undefined ? [] : [trial.changed]
  })
  const old = new Set(all.flatMap(({ aside, fresh = [] }) => aside.filter((it) => !fresh.includes(it))))
  const of = (paths: readonly string[]) => [...new Set(paths)].filter((it) => !old.has(it)).toSorted()
  return { product: of(all.flatMap(({ product }) => product)), fresh: of(all.flatMap(({ fresh = [] }) => fresh)) }
}
