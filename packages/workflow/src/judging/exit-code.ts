import type { Judgement, TurnEnd, Verdict } from '@loader/session-core/coding'
import type { JudgementWord } from './judgement.ts'
import type { TurnJudgement } from './judge-turn.ts'
import { judgementFrom } from './judgement-from.ts'

/** How strictly an exit code reads a judgement. */
export interface ExitWishes {
  /** `--strict`: a result without evidence in its favour is an error. */
  readonly strict: boolean
}

/** Returns 3 if something contradicts the answer or needs a person. */
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

/** The verdict, from the fixed set that readers of older versions know, that corresponds to the word. */
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

export interface EndOptions extends ExitWishes {
  /** `--expect change`: a turn that changed no file of the project is an error. */
  readonly expectsChange: boolean
}

/** The exit code for the end of a turn, by files, checks and the model's statement alone. */
export function exitCodeOfEnd(end: TurnEnd, judgement: Judgement | null, turnOptions: EndOptions): 0 | 3 {
  if (end.how === 'blocked' || (end.unknown ?? []).length > 0) return 3
  const isProject = end.changed && end.beside === undefined
  if (turnOptions.expectsChange && !isProject) return 3
  if (judgement === null) return 0
  // If no file changed, there is a judgement only because it objects or because the user accepted it.
  return isProject || judgement.word === 'accepted' ? exitCodeOf(judgementFrom(judgement), turnOptions) : 3
}
