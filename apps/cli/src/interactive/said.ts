import { type QuotedFile, shownText, type StoredText } from '@loader/session-core'
import { counted, inLines } from '@loader/readings'
import type { LineStyle } from '../screen/event-lines.ts'
import { marked } from '../screen/hanging.ts'
import { wrap } from '../screen/width.ts'

const mostLines = 12

/** The rule that divides turns. It is shorter than any terminal, so that none ever wraps it. */
const ruleColumns = 24

/** A message of the user, as shown in the conversation: below a rule where a turn begins after another one. */
export function said(
  text: StoredText,
  { paint, columns, glyphs }: LineStyle,
  place: 'alone' | 'below a rule' = 'alone',
): string[] {
  const lines = inLines(shownText(text)).flatMap((line) => wrap(line, columns - 3))
  const more = lines.length - mostLines
  const shown = more > 1 ? [...lines.slice(0, mostLines), `... ${counted(more, 'more line')}`] : lines
  return [
    '',
    ...(place === 'alone' ? [] : [paint('dim', glyphs.rule.repeat(Math.min(ruleColumns, columns - 1)))]),
    ...shown.map((line, index) => `${paint(['bold', 'cyan'], index === 0 ? '>' : ' ')} ${paint('bold', line)}`),
  ]
}

/** The same while the message waits to be sent to the model. */
export function queued(text: StoredText, { paint, columns, glyphs }: LineStyle): string[] {
  const style = (line: string) => paint('dim', line)
  return marked(glyphs.decision, `queued: ${shownText(text)}`, { columns, most: 2, paint: style, paintMark: style })
}

/** What is said of each file that goes with a message. */
export function quotedLines(quoted: readonly QuotedFile[] = [], { paint, columns }: LineStyle): string[] {
  return quoted.flatMap(({ text }) => {
    const [first = ''] = inLines(shownText(text).trimStart())
    return wrap(first.replace(/:$/, ''), columns - 3).map((line) => paint('dim', `  ${line}`))
  })
}
