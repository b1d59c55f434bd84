import type { Verdict } from '@loader/session-core/coding'
import type { JudgementWord } from './judgement.ts'
import type { TurnJudgement } from './judge-turn.ts'

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
