import type { SessionState, Turn } from '@loader/session-core'
import { acceptJudgement } from '../judging/accept-judgement.ts'
import type { CheckJudgement } from '../judging/judgement.ts'
import type { TurnJudgement } from '../judging/judge-turn.ts'

/** The judgement of a turn with what the user has accepted on these files. */
export function judgementOfTurn(
  { acceptances }: Pick<SessionState, 'acceptances'>,
  { verification }: Pick<Turn, 'verification'>,
  judgement: TurnJudgement | undefined,
): TurnJudgement | undefined {
  if (judgement === undefined || judgement.word === 'unchecked' || judgement.word === 'unknown') return judgement
  const tree = verification?.ground.tree
  return acceptances
    .filter((it) => it.tree !== undefined && it.tree === tree)
    .reduce((so: CheckJudgement, it) => acceptJudgement(so, it), judgement)
}
