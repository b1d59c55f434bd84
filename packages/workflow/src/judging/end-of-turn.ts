import type { Beside, EndStatement } from '@loader/session-core/coding'
import { hasBeside, restsBeside } from './beside.ts'
import { exitCodeOf } from './exit-code.ts'
import { judgeTurn, type TurnFacts, type TurnJudgement } from './judge-turn.ts'
import { objects } from './judgement.ts'

/** An interrupted call whose effect neither a result nor a file hash has shown. */
export interface UnknownCall {
  readonly call: string
  readonly seq: number
}

/** Everything that decides how a turn ends. `endOfTurn` must not read anything else. */
export interface EndFacts {
  /** A file of the project differs from the beginning of the turn. */
  readonly changed: boolean
  /** If no file of the project changed: differences outside the tree, and places that were not observed. */
  readonly beside?: Beside
  readonly unknownCalls: readonly UnknownCall[]
  /** Calls that succeeded, with their position in the history. */
  readonly goodCalls: readonly { readonly call: string; readonly seq: number }[]
  /** Where the checks come from. `given`: at least one was given by the user. */
  readonly checks: 'none' | 'derived' | 'given'
  /** Absent until the checks have run or their earlier judgements were found to apply to this tree. */
  readonly judgements?: TurnFacts['checks']
  /** What the model stated with a call of the tool `finish`. */
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
   * The turn needs a decision of the user, who could not be asked (4), or reached a limit (7).
   */
  readonly stoppedWith?: 4 | 7
}

/** How a turn ends, or what must be known first. */
export type EndOfTurn =
  | { readonly next: 'ask_how_it_ended' }
  | { readonly next: 'run_checks' }
  | {
      readonly next: 'end'
      /** `judged`: a file of the project changed, or a check objects. `answered`: neither is the case. */
      readonly how: 'answered' | 'judged' | 'blocked'
      /** Something differs in the project or outside the tree, or may differ in a place that was not observed. */
      readonly changed: boolean
      readonly beside?: Beside
      readonly exitCode: 0 | 3 | 4 | 7
      readonly judgement?: TurnJudgement
      /** Calls whose effect is still unknown. */
      readonly unknown: readonly string[]
      /** What the model states about unknown calls, with the call that showed it. */
      readonly found: NonNullable<EndStatement['found']>
    }

/**
 * Facts decide; the words of the user are not read.
 *
 * If only something outside the tree changed, as with every run of tests, the change matters only if the result of a
 * check depends on it. Other results of checks do not matter to a turn that only answered a question.
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
  // If no file changed, the judgement is shown only when it objects: the turn itself verified nothing.
  const isShown = judgement !== undefined && (changed || contradicts(facts, judgement))
  const how = isShown ? 'judged' : 'answered'
  return { next: 'end', how, exitCode: stoppedWith ?? code, ...rest, ...(isShown && { judgement }) }
}

/** A statement about an unknown call counts only if it cites a successful call made after that call. */
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

/** Saying "done" contradicts a failing check, even one that failed before the work. */
function contradicts({ statement }: EndFacts, { word, notes }: TurnJudgement): boolean {
  return objects(word) || (statement?.how === 'done' && notes.oldFailures.length > 0)
}
