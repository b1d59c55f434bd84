import { inText } from '@loader/readings'
import { columnsOf, type Console } from '../console/console.ts'
import { printLines } from '../console/print.ts'
import { wrap } from '../screen/width.ts'

/** Prints what was done, in lines that fit the screen; programs get whole lines. */
export function tell(console: Console, lines: readonly string[]): void {
  const width = columnsOf(console)
  printLines(
    console,
    lines.map(inText).flatMap((line) => (console.stdout.isTTY === true ? wrap(line, width) : [line])),
  )
}
