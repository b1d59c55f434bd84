import type { Judgement, TurnEnd, Verdict } from '@loader/session-core/coding'
import type { JudgementWord } from './judgement.ts'
import type { TurnJudgement } from './judge-turn.ts'
import { judgementFrom } from './judgement-from.ts'

/** How strictly an exit code reads a judgement. */
export interface ExitWishes {
  /** `--strict`: what nothing speaks for is not good enough. */
  readonly strict: boolean
}

/** 3: something contradicts the answer, or needs a person. */
export function exitCodeOf({ word, notes }: TurnJudgement, { strict }: ExitWishes): 0 | 3 {
  if (notes.unaccepted.length > 0) return 3
  switch (word) {
    case 'verified':
    case 'accepted':
      return 0
    case 'held':
    case 'present':
    case 'unchecked':
      return strict ? 3 : 0
    case 'failed':
    case 'unknown':
    case 'stale':
    case 'unverified':
    case 'rests_on':
      return 3
    default:
      return word satisfies never
  }
}

/** The word of the closed set that readers of older versions know. */
export function verdictFor(word: JudgementWord): Verdict {
  switch (word) {
    case 'verified':
    case 'present':
    case 'failed':
    case 'stale':
    case 'unverified':
      return word
    case 'accepted':
      return 'waived'
    case 'held':
    case 'unchecked':
    case 'rests_on':
    case 'unknown':
      return 'unverified'
    default:
      return word satisfies never
  }
}

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
