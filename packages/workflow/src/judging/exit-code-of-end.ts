import type { Judgement, TurnEnd } from '@loader/session-core/coding'
import { exitCodeOf, type ExitWishes } from './exit-code.ts'
import { judgementFrom } from './judgement-from.ts'

export interface EndWishes extends ExitWishes {
  /** `--expect change`: a turn that changed no file of the project has not done what it was asked for. */
  readonly expectsChange: boolean
}

/** What the end of a turn means to a script, as far as files, checks and the model tell. */
export function exitCodeOfEnd(end: TurnEnd, judgement: Judgement | null, wishes: EndWishes): 0 | 3 {
  if (end.how === 'blocked' || (end.unknown ?? []).length > 0) return 3
  const isProject = end.changed && end.beside === undefined
  if (wishes.expectsChange && !isProject) return 3
  if (judgement === null) return 0
  // Where no file changed, a judgement is there only because it objects, or because the user has accepted it.
  return isProject || judgement.word === 'accepted' ? exitCodeOf(judgementFrom(judgement), wishes) : 3
}
