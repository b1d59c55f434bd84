import { between, fullTime, inOneLine, type WhyOutput } from '@loader/readings'
import type { Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { criterionLines } from './evidence-lines.ts'
import type { LinesOptions } from './timeline-lines.ts'

export function whyLines(why: WhyOutput, options: LinesOptions): string[] {
  const { turn, because, criteria, trace, missing, next } = why
  const { paint, width } = options
  const said = (lines: readonly string[]) => lines.flatMap((line) => wrap(`  ${inOneLine(line)}`, width))
  const judged = trace.map(({ stage, outcome, decisionSummary }) => `${stage}: ${outcome}, ${decisionSummary}`)
  return [
    ...(turn === null ? [] : [...wrap(`"${inOneLine(turn.input)}"`, width), ...endLines(turn, options)]),
    ...said(because),
    ...part(
      'WHAT HAD TO HOLD',
      criteria.flatMap((criterion) => criterionLines(criterion, options)),
      options,
    ),
    ...part('WHAT IS MISSING', said(missing), options),
    ...part('HOW IT WAS JUDGED', said(judged), options),
    ...part('WHAT WOULD HAVE TO HAPPEN', said(next), options),
  ].map((line) => (line.startsWith('  Go on') ? paint('bold', line) : line))
}

function endLines(turn: NonNullable<WhyOutput['turn']>, { paint, width }: LinesOptions): string[] {
  const { startedAt, finishedAt, reason, verdict, phase } = turn
  const text =
    finishedAt === null
      ? `is open since ${fullTime(startedAt)}, in phase ${phase}`
      : `ended ${fullTime(finishedAt)} after ${between(startedAt, finishedAt)}: ${[reason, verdict].filter(Boolean).join(', ')}`
  return wrap(inOneLine(text), width).map((line) => paint(endStyle(turn), line))
}

function endStyle({ verdict, reason }: NonNullable<WhyOutput['turn']>): Style {
  if (verdict === 'verified' || verdict === 'waived') return 'green'
  return verdict === null && reason === 'turn_complete' ? 'green' : 'yellow'
}

function part(name: string, lines: readonly string[], { paint }: LinesOptions): string[] {
  return lines.length === 0 ? [] : ['', paint('dim', name), ...lines]
}
