import { shownText } from '@loader/session-core'
import type { PermitAnswer, PermitQuestion, UserQuestion } from '@loader/session-core/coding'
import { inLines, inOneLine, shortBytes } from '@loader/readings'
import { ruleText } from '@loader/workflow'
import { diffLines, diffStyles } from '../screen/diff-lines.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { marked } from '../screen/hanging.ts'
import type { Paint } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { pieces } from './pieces.ts'

/** A question to the user: how it is shown, and how a line is read as its answer. */
export interface Question<Answer> {
  readonly lines: readonly string[]
  readonly prompt: string
  /** Undefined if the line is not a valid answer; then the hint is shown. */
  read(line: string): Answer | undefined
  readonly hint: string
  /** Single letters that answer without Enter. */
  readonly letters: string
}

/** Asks whether a call may run. Shows the whole command or diff, and the rule that asks. */
export function permitQuestion(
  { tool, title, preview, reason, why, rule }: PermitQuestion,
  look: LineStyle,
): Question<PermitAnswer> {
  const { paint, columns } = look
  return {
    lines: [
      '',
      ...headLines(title === undefined ? `May ${tool} do this?` : `${title}? (${tool})`, look),
      ...previewLines(shownText(preview), look),
      ...(typeof preview === 'string'
        ? []
        : [paint('yellow', `  This is only the beginning of ${shortBytes(preview.bytes)}.`)]),
      ...wrap(`Asked because: ${inOneLine(reason)}`, columns - 3).map((line) => `  ${paint('dim', line)}`),
      ...(why === undefined
        ? []
        : wrap(`The model says: ${inOneLine(why)}`, columns - 3).map((line) => `  ${paint('dim', line)}`)),
      ...choiceLines(sameAgain(tool, rule), columns, paint),
    ],
    prompt: 'y/s/a/n> ',
    letters: 'ysa',
    hint: 'Type y, s, a or n. Words behind n tell the model why.',
    read: permitAnswer,
  }
}

/** The rule that a lasting yes adds, so that the user agrees to nothing that is not shown. */
function sameAgain(tool: string, rule: PermitQuestion['rule']): string {
  return rule === undefined ? `everything that ${inOneLine(tool)} does` : inOneLine(ruleText(rule))
}

function choiceLines(what: string, columns: number, paint: Paint): string[] {
  const choices = [
    ['y', 'yes, this once'],
    ['s', `yes, ${what} for the rest of this session`],
    ['a', `yes, ${what} always in this project`],
    ['n', 'no; a few words behind it tell the model why'],
  ] as const
  return choices.flatMap(([letter, meaning]) =>
    wrap(meaning, columns - 6).map((line, index) => `  ${index === 0 ? paint('bold', letter) : ' '}  ${line}`),
  )
}

/** Only its own letter means yes, so that a line meant for something else never permits a call. */
function permitAnswer(line: string): PermitAnswer | undefined {
  const [, first = '', words = ''] = /^\s*(\S+)\s*([^]*?)\s*$/.exec(line) ?? []
  const letter = first.toLowerCase().replace(/[,.:;]$/, '')
  if (letter === 'n' || letter === 'no') {
    return { permit: 'deny', scope: 'once', ...(words !== '' && { reason: words }) }
  }
  if (words !== '') return undefined
  switch (letter) {
    case 'y':
    case 'yes':
      return { permit: 'allow', scope: 'once' }
    case 's':
    case 'session':
      return { permit: 'allow', scope: 'session' }
    case 'a':
    case 'always':
      return { permit: 'allow', scope: 'always' }
    default:
      return undefined
  }
}

/** Wraps long lines and changes nothing else, because white space matters. */
function previewLines(preview: string, { paint, columns }: LineStyle): string[] {
  const room = columns - 5
  const diff = diffLines(preview)
  if (diff === undefined) return inLines(preview).flatMap((line) => pieces(line, room).map((piece) => `    ${piece}`))
  return diff.flatMap(({ kind, text }) => pieces(text, room).map((piece) => `    ${paint(diffStyles[kind], piece)}`))
}

/** A question from the model. A number selects an option; any other text is the answer itself. */
export function userQuestion({ text, title, options = [] }: UserQuestion, look: LineStyle): Question<string> {
  const { columns } = look
  const numbered = options.map(({ label, description }, index) => {
    return { mark: `${index + 1}.`, text: description === undefined ? label : `${label}: ${description}` }
  })
  return {
    lines: [
      '',
      ...headLines(title ?? 'A question', look),
      ...inLines(text).flatMap((line) => wrap(line, columns - 5).map((part) => `    ${part}`)),
      ...numbered.flatMap((option) => marked(option.mark, option.text, { columns, indent: '    ' })),
    ],
    prompt: options.length === 0 ? 'answer> ' : `1-${options.length} or words> `,
    letters: '',
    hint: options.length === 0 ? 'Type an answer.' : 'Type the number of an option, or an answer in other words.',
    read(line) {
      const answer = line.trim()
      if (answer === '') return undefined
      const chosen = /^\d+$/.test(answer) ? options[Number(answer) - 1] : undefined
      return chosen?.label ?? answer
    },
  }
}

function headLines(text: string, { paint, glyphs, columns }: LineStyle): string[] {
  const style = (line: string) => paint(['bold', 'yellow'], line)
  return marked(glyphs.ask, text, { columns, paint: style, paintMark: style })
}
