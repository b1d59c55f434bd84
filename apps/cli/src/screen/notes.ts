import { inLines } from '@loader/readings'
import { columnsOf, type Console } from '../console/console.ts'
import { wrap } from './width.ts'

/**
 * Prints notes to standard error, because standard output is for the result. Names of files and words of the command
 * line can be hostile, so control characters are written as escapes, and only the first line of a note begins like one. Lines are
 * wrapped for people, and left whole for programs.
 */
export function printNotes(console: Console, notes: readonly string[]): void {
  const lines = notes.map(asNote)
  const shown = console.stderr.isTTY === true ? lines.flatMap((line) => broken(line, columnsOf(console) - 1)) : lines
  console.stderr.write(shown.map((line) => `${line}\n`).join(''))
}

const indent = '  '

/** A note as it is printed: further lines are indented, so that no text within can be taken for another note. */
export function asNote(note: string): string {
  return `loader: ${inLines(note).join(`\n${indent}`)}`
}

function broken(note: string, width: number): readonly string[] {
  return note.split('\n').flatMap((line) => {
    const [first = ''] = wrap(line, width)
    const rest = behind(line, first)
    return rest === '' ? [first] : [first, ...wrap(indent + rest, width)]
  })
}

/** What is left of a line behind its first row, in which several spaces may have become one. */
function behind(line: string, row: string): string {
  let left = row.replaceAll(/\s/g, '').length
  let at = 0
  for (; left > 0; at++) if (/\S/.test(line.charAt(at))) left--
  return line.slice(at).trimStart()
}
