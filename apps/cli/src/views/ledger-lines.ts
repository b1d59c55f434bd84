import type { Ledger } from '@loader/session-core/coding'
import { inOneLine } from '@loader/readings'
import type { Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import type { LinesOptions } from './timeline-lines.ts'

type Item = Ledger['assumptions'][number] | Ledger['acceptanceAnchors'][number] | Ledger['decisionBoundaries'][number]

const lists = [
  ['ASSUMPTIONS', 'assumptions'],
  ['ACCEPTANCE ANCHORS', 'acceptanceAnchors'],
  ['DECISION BOUNDARIES', 'decisionBoundaries'],
] as const

/** Statuses of items that no longer hold. */
const shaken = new Set(['contradicted', 'changed', 'reopened'])

export function ledgerLines(ledger: Ledger, options: LinesOptions): string[] {
  if (lists.every(([, list]) => ledger[list].length === 0)) {
    return wrap('The ledger is empty: nothing was assumed, agreed on or set apart for you to decide.', options.width)
  }
  return lists
    .flatMap(([name, list]) => [
      '',
      options.paint('dim', name),
      ...ledger[list].flatMap((item) => itemLines(item, options)),
    ])
    .slice(1)
}

function itemLines(
  { text, status, introducedPhase, updatedPhase, evidence = [] }: Item,
  options: LinesOptions,
): string[] {
  const { width, paint } = options
  const style: Style = shaken.has(status) ? 'yellow' : 'green'
  const since = `since ${introducedPhase}${updatedPhase === undefined ? '' : `, last changed in ${updatedPhase}`}`
  const [first = '', ...rest] = wrap(`  [${status}] ${inOneLine(text)}`, width)
  return [
    first.replace(`[${status}]`, paint(style, `[${status}]`)),
    ...rest,
    ...[since, ...evidence].flatMap((line) =>
      wrap(`      ${inOneLine(line)}`, width).map((part) => paint('dim', part)),
    ),
  ]
}
