import type { SessionState, Turn } from '@loader/session-core'
import { acceptable } from '../judging/accept-judgement.ts'
import { moveBefore } from '../judging/before-tree.ts'
import type { TurnJudgement } from '../judging/judge-turn.ts'
import type { Recorded } from '../words/step.ts'
import { globMatches } from '../permission/rules/glob.ts'

/**
 * The events that accept files matching `--accept`, if the judgement rests on them. Empty without the flag, or if other
 * files would have to be accepted too.
 */
export function acceptedBeforehand(
  { policy, before, acceptances }: SessionState,
  { verification }: Turn,
  judgement: TurnJudgement,
): readonly Recorded[] {
  const tree = verification?.ground.tree
  const patterns = policy?.accept ?? []
  if (patterns.length === 0 || tree === undefined || before === null) return []
  if (judgement.word !== 'rests_on' || judgement.what === 'ignored') return []
  const files = acceptable(judgement)?.files ?? []
  const isAll = files.length > 0 && files.every((path) => patterns.some((it) => globMatches(it, path)))
  if (!isAll || acceptances.some((it) => it.tree === tree && files.every((path) => it.files?.includes(path)))) return []
  const moved = moveBefore(before.tree, { kind: 'accepted', tree, paths: files })
  const { seq: _seq, unaccepted = [], ...rest } = before
  return [
    { type: 'checks.accepted', by: 'the user, beforehand', tree, files },
    {
      type: 'before.moved',
      why: 'accepted',
      before: { ...rest, tree: moved, unaccepted: unaccepted.filter((path) => !files.includes(path)) },
    },
  ]
}
