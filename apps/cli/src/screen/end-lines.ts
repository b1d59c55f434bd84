import type { EventOf, SessionState } from '@loader/session-core'
import type { Verdict } from '@loader/session-core/coding'
import { between, counted, shortCount } from '@loader/readings'
import type { Look } from './event-lines.ts'
import { hanging, marked } from './hanging.ts'

const judged: Readonly<Record<Verdict, string>> = {
  verified: 'done, verified',
  waived: 'done, waived',
  present: 'not verified: only shown to be there',
  failed: 'not done: checks failed',
  stale: 'not verified: changed since it was checked',
  unverified: 'not verified: no check has run',
}

/** How a turn ended, what it took, and why it is not done, if it is not. */
export function endLines(
  event: EventOf<'turn.finished'>,
  { paint, glyphs, columns }: Look,
  state: SessionState | null,
): string[] {
  const { reason, verdict, summary, notStored } = event
  const isGood = reason === 'turn_complete' && (verdict === undefined || verdict === 'verified' || verdict === 'waived')
  const style = isGood ? 'green' : 'yellow'
  const head = [endWords(reason, verdict), ...figures(state)].join(' | ')
  const why = [
    ...(summary === undefined || (isGood && verdict === undefined) ? [] : [summary]),
    ...(notStored === undefined ? [] : [notStored]),
  ]
  return [
    ...marked(glyphs.end, head, {
      columns,
      paint: (line) => paint(style, line),
      paintMark: (sign) => paint(style, sign),
    }),
    ...why.flatMap((text) => hanging('  ', 2, text, { columns, paint: (line) => paint('dim', line) })),
  ]
}

function endWords(reason: string, verdict: Verdict | undefined): string {
  if (reason !== 'turn_complete') return `ended: ${reason.replaceAll('_', ' ')}`
  return verdict === undefined ? 'answered' : judged[verdict]
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
