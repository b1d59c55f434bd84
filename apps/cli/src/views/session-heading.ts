import type { SessionRow } from '@loader/session-core'
import { counted, inOneLine, shortCount, whenAt } from '@loader/readings'
import type { Paint } from '../screen/paint.ts'
import { cut, wrap } from '../screen/width.ts'

export interface HeadingOptions {
  readonly width: number
  readonly paint: Paint
  readonly now: number
}

/** The header about a session: its title, and its main facts. */
export function sessionHeading(row: SessionRow, { width, paint, now }: HeadingOptions): string[] {
  const { id, title, updatedAt, turns, inputTokens, outputTokens, forkedFrom } = row
  const facts = [
    id,
    whenAt(updatedAt, now),
    counted(turns, 'turn'),
    `${shortCount(inputTokens + outputTokens)} tokens`,
    ...(forkedFrom === null ? [] : [`forked from ${forkedFrom}`]),
  ]
  return [paint('bold', cut(inOneLine(title), width)), ...wrap(inOneLine(facts.join(' · ')), width)]
}
