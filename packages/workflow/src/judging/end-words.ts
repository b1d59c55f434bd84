import type { Judgement, TurnEnd } from '@loader/session-core/coding'
import { besideWords } from './beside.ts'
import type { TurnJudgement } from './judge-turn.ts'
import { judgementFrom } from './judgement-from.ts'
import { judgementWords } from './judgement-words.ts'

/** The last lines of a turn, for people: the verdict, what to do about it, and what is unknown. */
export function endWords(end: TurnEnd | null, judgement: Judgement | null): readonly string[] {
  // Calls with unknown effects are listed below with their titles, so the judgement need not list them.
  const isNamed = judgement?.word === 'unknown' && (end?.unknown ?? []).length > 0
  const words = judgement === null || isNamed ? undefined : judgementWords(withoutImpossible(judgementFrom(judgement)))
  return [
    ...(words === undefined ? [] : [words.said, ...words.notes, ...(words.next === undefined ? [] : [words.next])]),
    ...(end === null ? [] : endingLines(end)),
  ]
}

/**
 * Removes notes about experiments that are impossible for a check: they belong to its evidence, not to the summary of
 * every turn.
 */
function withoutImpossible(judgement: TurnJudgement): TurnJudgement {
  const leftOut = judgement.notes.leftOut.filter(({ why }) => why !== 'impossible')
  return { ...judgement, notes: { ...judgement.notes, leftOut } }
}

function endingLines({ how, changed, beside, left, unknown = [], found = [], summary }: TurnEnd): readonly string[] {
  return [
    ...(changed && beside === undefined ? [] : [besideWords(beside)]),
    ...(how === 'blocked' ? [`Blocked, as the model says: ${summary ?? 'it does not say why'}`] : []),
    ...(left === undefined || left === '' ? [] : [`Left, as the model says: ${left}`]),
    ...unknown.map(
      ({ what }) => `Not known what became of \`${what}\`, which was cut off: look at what it was to change.`,
    ),
    ...found.map(({ what, callWhat, shownBy, shownByWhat }) => {
      const cutOff = callWhat === undefined ? 'a call that was cut off' : `\`${callWhat}\`, which was cut off,`
      return `Of ${cutOff} the model says: ${what} (shown by ${shownByWhat === undefined ? shownBy : `\`${shownByWhat}\``}).`
    }),
  ]
}
