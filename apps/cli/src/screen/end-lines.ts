import type { EventOf, SessionState } from '@loader/session-core'
import type { Verdict } from '@loader/session-core/coding'
import { between, counted, shortCount } from '@loader/readings'
import { endWords } from '@loader/workflow'
import type { LineStyle } from './event-lines.ts'
import { hanging, marked } from './hanging.ts'

const judged: Readonly<Record<Verdict, string>> = {
  verified: 'done, verified',
  waived: 'done, waived',
  present: 'not verified: only shown to be there',
  failed: 'not done: checks failed',
  stale: 'not verified: changed since it was checked',
  unverified: 'not verified: no check has run',
}

/** The first words about a turn. Only verified or accepted work may be called done. */
const byJudgement: Readonly<Record<string, string>> = {
  verified: 'done, verified',
  accepted: 'done, accepted',
  held: 'finished',
  present: 'finished',
  unchecked: 'finished, unchecked',
  rests_on: 'to be accepted',
  unverified: 'not verified',
  unknown: 'not known',
  stale: 'not verified: changed since it was checked',
  failed: 'not done: checks failed',
}
const isGood: ReadonlySet<string> = new Set(['verified', 'accepted'])

/** How a turn ended, its usage, and what the user should know or do. */
export function endLines(
  event: EventOf<'turn.finished'>,
  { paint, glyphs, columns }: LineStyle,
  state: SessionState | null,
): string[] {
  const { notStored } = event
  const style = styleOf(event)
  const head = [headOf(event), ...figures(state)].join(' | ')
  const why = [...turnEndLines(event).map(withoutHead), ...(notStored === undefined ? [] : [notStored])]
  return [
    ...marked(glyphs.end, head, {
      columns,
      paint: (line) => paint(style, line),
      paintMark: (sign) => paint(style, sign),
    }),
    ...why.flatMap((text) => hanging('  ', 2, text, { columns, paint: (line) => paint('dim', line) })),
  ]
}

/** The first line says already that it is finished. */
function withoutHead(words: string): string {
  return words.replace(/^Finished\. /, '')
}

function styleOf({ reason, verdict, judgement, end }: EventOf<'turn.finished'>): 'green' | 'yellow' {
  if (reason !== 'turn_complete' || end?.how === 'blocked') return 'yellow'
  if (judgement !== undefined) return isGood.has(judgement.word) ? 'green' : 'yellow'
  return verdict === undefined || verdict === 'verified' || verdict === 'waived' ? 'green' : 'yellow'
}

function headOf({ reason, verdict, judgement, end }: EventOf<'turn.finished'>): string {
  if (reason !== 'turn_complete') return `ended: ${reason.replaceAll('_', ' ')}`
  if (end?.how === 'blocked') return 'blocked'
  if (judgement !== undefined) return byJudgement[judgement.word] ?? judgement.word
  return verdict === undefined ? 'answered' : judged[verdict]
}

/** Histories of older versions have a summary instead of a judgement. */
function turnEndLines({ reason, verdict, judgement, end, summary }: EventOf<'turn.finished'>): readonly string[] {
  if (reason === 'turn_complete' && end !== undefined) return endWords(end, judgement ?? null)
  const isPlain = reason === 'turn_complete' && verdict === undefined
  return summary === undefined || isPlain ? [] : [summary]
}

function figures(state: SessionState | null): string[] {
  const last = state?.lastTurn
  if (last == null) return []
  const tokens = last.usage.inputTokens + last.usage.outputTokens
  return [
    ...(last.spent.iterations > 1 ? [counted(last.spent.iterations, 'answer')] : []),
    ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
    between(last.startedAt, last.finishedAt),
  ]
}
