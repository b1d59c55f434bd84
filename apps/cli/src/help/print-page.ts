import { columnsOf, type Console } from '../console/console.ts'
import { MarkdownLines } from '../interactive/markdown.ts'
import type { Paint } from '../screen/paint.ts'
import { onLongLines, pageOf } from './page-of.ts'
import type { Topic } from '../arguments/topics.ts'

/** Prints a page: for a terminal as wide as it is, elsewhere as it was written. */
export function printPage(topic: Topic, console: Console, paint: Paint): void {
  const page = pageOf(topic)
  console.stdout.write(console.stdout.isTTY === true ? `${shown(page, columnsOf(console), paint)}\n` : page)
}

function shown(page: string, columns: number, paint: Paint): string {
  const markdown = new MarkdownLines(paint, () => Math.min(columns, widest))
  const lines = onLongLines(page).flatMap((line) => markdown.line(line))
  return [...lines, ...markdown.end()].join('\n')
}

/** Longer lines are hard to read. */
const widest = 120
