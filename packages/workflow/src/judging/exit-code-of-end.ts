import type { Judgement, TurnEnd } from '@loader/session-core/coding'
import { exitCodeOf, type ExitWishes } from './exit-code.ts'
import { judgementFrom } from './judgement-from.ts'

export interface EndWishes extends ExitWishes {
  /** `--expect change`: a turn that changed nothing has not done what it was asked for. */
  readonly expectsChange: boolean
}

/** What the end of a turn means to a script, as far as files, checks and the model tell. */
export function exitCodeOfEnd(end: TurnEnd, judgement: Judgement | null, wishes: EndWishes): 0 | 3 {
  if (end.how === 'blocked' || (end.unknown ?? []).length > 0) return 3
  if (wishes.expectsChange && !end.changed) return 3
  if (judgement === null) return 0
  // Where nothing changed, a judgement is there only because it objects.
  return end.changed ? exitCodeOf(judgementFrom(judgement), wishes) : 3
}
