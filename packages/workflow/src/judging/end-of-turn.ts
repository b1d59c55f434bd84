import type { Beside, EndStatement } from '@loader/session-core/coding'
import { hasBeside, restsBeside } from './beside.ts'
import { exitCodeOf } from './exit-code.ts'
import { judgeTurn, type TurnFacts, type TurnJudgement } from './judge-turn.ts'
import { objects } from './judgement.ts'

/** A call that was cut off, and that neither a result nor the hash of a file has settled. */
export interface UnknownCall {
  readonly call: string
  readonly seq: number
}

/** Everything that decides how a turn ends. `endOfTurn` looks at nothing else. */
export interface EndFacts {
  /** A file of the project is not as it was when the turn began. */
  readonly changed: boolean
  /** Where none is: what else differs, where no tree looks, and what was not looked at. */
  readonly beside?: Beside
  readonly unknownCalls: readonly UnknownCall[]
  /** Calls that ended well, with their place in the recording. */
  readonly goodCalls: readonly { readonly call: string; readonly seq: number }[]
  /** Where the checks come from. `given`: at least one is from the user. */
  readonly checks: 'none' | 'derived' | 'given'
  /** Absent until they have run, or were found to be kept for this tree. */
  readonly judgements?: TurnFacts['checks']
  /** What the model said, by a call of the tool `finish`. */
  readonly statement?: EndStatement
  /** The run is non-interactive: no user can be asked. */
  readonly headless: boolean
  /** The model was asked how the turn ended. */
  readonly asked: boolean
  /** `--expect change` */
  readonly expectsChange: boolean
  /** `--strict` */
  readonly strict: boolean
  /**
   * How the turn ended otherwise: it needs a decision of the user, who could not be asked (4), or reached a limit (7).
   */
  readonly stoppedWith?: 4 | 7
}

/** How a turn ends, or what has to be known first. */
export type EndOfTurn =
  | { readonly next: 'ask_how_it_ended' }
  | { readonly next: 'run_checks' }
  | {
      readonly next: 'end'
      /** `judged`: a file of the project changed, or a check objects. `answered`: neither. */
      readonly how: 'answered' | 'judged' | 'blocked'
      /** Something differs, in the project or beside it, or may differ in a place that was not looked at. */
      readonly changed: boolean
      readonly beside?: Beside
      readonly exitCode: 0 | 3 | 4 | 7
      readonly judgement?: TurnJudgement
      /** Calls that are still unknown. */
      readonly unknown: readonly string[]
      /** What the model says of unknown calls, with the call that showed it. */
      readonly found: NonNullable<EndStatement['found']>
    }

/**
 * Facts decide; the words of the user are not read.
 *
 * Where only something beside the project changed, as every run of tests does it, the checks tell whether it matters: what
 * they show may not rest on it. What else they show is no matter of a question.
 */
export function endOfTurn(facts: EndFacts): EndOfTurn {
  const { changed, beside, checks, statement, headless, asked, stoppedWith } = facts
  const isStopped = stoppedWith !== undefined
  const isWork = changed || checks === 'given' || statement?.how === 'done'
  const isTried = isWork || (hasBeside(beside) && statement?.how !== 'blocked')
  if (isTried && checks !== 'none' && facts.judgements === undefined && !isStopped) return { next: 'run_checks' }
  const { judgements = [] } = facts
  const counted = isWork ? judgements : judgements.filter(restsBeside)
  const isOpen = !isWork && counted.length === 0 && statement === undefined
  if (isOpen && headless && !asked && !isStopped) return { next: 'ask_how_it_ended' }

  const found = foundOut(facts)
  const unknown = facts.unknownCalls.map(({ call }) => call).filter((call) => !found.some((it) => it.call === call))
  const judgement = judgeTurn({ changed, unknownCalls: unknown, checks: counted })
  const rest = {
    changed: changed || beside !== undefined,
    ...(!changed && beside !== undefined && { beside }),
    unknown,
    found,
  }
  const code = exitOf(facts, judgement)
  if (statement?.how === 'blocked') {
    return { next: 'end', how: 'blocked', exitCode: stoppedWith ?? 3, ...rest, ...(judgement && { judgement }) }
  }
  // Where no file changed, only an objection is worth a word: nothing was held, and nothing was verified by the turn.
  const isShown = judgement !== undefined && (changed || contradicts(facts, judgement))
  const how = isShown ? 'judged' : 'answered'
  return { next: 'end', how, exitCode: stoppedWith ?? code, ...rest, ...(isShown && { judgement }) }
}

/** What `found` says counts where it cites a call that ended well after the one that it speaks of. */
function foundOut({ statement, unknownCalls, goodCalls }: EndFacts): NonNullable<EndStatement['found']> {
  return (statement?.found ?? []).filter(({ call, shownBy }) => {
    const unknown = unknownCalls.find((it) => it.call === call)
    const shown = goodCalls.find((it) => it.call === shownBy)
    return unknown !== undefined && shown !== undefined && shown.seq > unknown.seq
  })
}

function exitOf(facts: EndFacts, judgement: TurnJudgement | undefined): 0 | 3 {
  const { changed, expectsChange, strict } = facts
  if (expectsChange && !changed) return 3
  if (judgement === undefined) return 0
  if (changed) return exitCodeOf(judgement, { strict })
  return contradicts(facts, judgement) ? 3 : 0
}

/** "Done" over a check that is red is contradicted, also when it was red before. */
function contradicts({ statement }: EndFacts, { word, notes }: TurnJudgement): boolean {
  return objects(word) || (statement?.how === 'done' && notes.oldFailures.length > 0)
}
