import type { PermissionAnswer, PermissionQuestion } from '@loader/session-core/coding'
import { shownText } from '@loader/session-core'
import { inLines, questionTitle } from '@loader/readings'
import type { LineStyle } from '../screen/event-lines.ts'
import { marked } from '../screen/hanging.ts'
import { lettered, type Question } from './question.ts'

/** Whether a permission is about a plan instead of a call. */
export function isPlanQuestion({ callId }: PermissionQuestion): boolean {
  return callId === undefined
}

const choices = [
  ['y', 'yes, carry it out; words behind it say what to do differently'],
  ['n', 'no; words behind it have the plan written anew'],
] as const

/** The permission to carry out a plan. The answer of the model, which is the plan, stands above it. */
export function planQuestion({ preview }: PermissionQuestion, look: LineStyle): Question<PermissionAnswer> {
  const { paint, glyphs, columns } = look
  const style = (line: string) => paint(['bold', 'yellow'], line)
  const isCut = typeof preview !== 'string'
  return {
    lines: [
      '',
      ...marked(glyphs.ask, questionTitle({ kind: 'permit', isPlan: true }), {
        columns,
        paint: style,
        paintMark: style,
      }),
      ...(isCut ? inLines(shownText(preview)).map((line) => `    ${line}`) : []),
    ],
    choices: (now) =>
      choices.flatMap(([letter, meaning]) => marked(letter, meaning, { columns: now.columns, indent: '  ' })),
    prompt: 'y/n> ',
    letters: '',
    hint: 'Type y or n. Words behind y change the plan, words behind n have it written anew.',
    read: planAnswer,
  }
}

/** Only its own letter is a yes, so that a line meant for something else approves nothing. */
function planAnswer(line: string): PermissionAnswer | undefined {
  const { letter, words } = lettered(line)
  const reason = words === '' ? {} : { reason: words }
  switch (letter) {
    case 'y':
    case 'yes':
      return { permit: 'allow', scope: 'once', ...reason }
    case 'n':
    case 'no':
      return { permit: 'deny', scope: 'once', ...reason }
    default:
      return undefined
  }
}
