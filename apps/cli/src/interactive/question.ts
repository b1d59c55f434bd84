import { shownText } from '@loader/session-core'
import type { PermissionAnswer, PermissionQuestion, PermissionRule, UserQuestion } from '@loader/session-core/coding'
import { inLines, inOneLine, questionTitle, shortBytes } from '@loader/readings'
import { ruleText } from '@loader/workflow'
import { diffLines, diffStyles } from '../screen/diff-lines.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { marked } from '../screen/hanging.ts'
import { wrap } from '../screen/width.ts'
import { pieces } from './pieces.ts'

/** A question to the user: how it is shown, and how a line is read as its answer. */
export interface Question<Answer> {
  /** What is asked, which stays on the screen. */
  readonly lines: readonly string[]
  /** What may be answered, which is shown until it was, for a terminal as wide as it is by then. */
  choices(look: LineStyle): readonly string[]
  readonly prompt: string
  /** Undefined if the line is not a valid answer; then the hint is shown. */
  read(line: string): Answer | undefined
  /** A question that has to be answered first, where the line alone would leave something open. */
  further?(line: string): Question<Answer> | undefined
  readonly hint: string
  /** Single letters that answer without Enter. */
  readonly letters: string
}

/** Asks whether a call may run. Shows the whole command or diff, and the rule that asks. */
export function permissionQuestion(
  { tool, title, preview, reason, why, rule, exactRule }: PermissionQuestion,
  look: LineStyle,
): Question<PermissionAnswer> {
  const { paint, columns } = look
  const extents = rule !== undefined && exactRule !== undefined ? { rule, exactRule } : undefined
  const what = extents === undefined ? sameAgain(tool, rule) : `this very call or all of its kind, which is asked next,`
  return {
    lines: [
      '',
      ...headLines(questionTitle({ kind: 'permit', isPlan: false, title, tool }), look),
      ...previewLines(shownText(preview), look),
      ...(typeof preview === 'string'
        ? []
        : [paint('yellow', `  This is only the beginning of ${shortBytes(preview.bytes)}.`)]),
      ...wrap(`Asked because: ${inOneLine(reason)}`, columns - 3).map((line) => `  ${paint('dim', line)}`),
      ...(why === undefined
        ? []
        : wrap(`The model says: ${inOneLine(why)}`, columns - 3).map((line) => `  ${paint('dim', line)}`)),
    ],
    choices: (now) =>
      choiceLines(
        [
          ['y', 'yes, this once'],
          ['s', `yes, ${what} for the rest of this session`],
          ['a', `yes, ${what} always in this project`],
          no,
        ],
        now,
      ),
    prompt: 'y/s/a/n> ',
    letters: 'ysa',
    hint: 'Type y, s, a or n. Words behind n tell the model why.',
    read: (line) => {
      const answer = permitAnswer(line)
      return extents !== undefined && answer?.scope !== 'once' ? undefined : answer
    },
    ...(extents !== undefined && {
      further: (line: string) => {
        const scope = permitAnswer(line)?.scope
        return scope === 'session' || scope === 'always' ? extentQuestion(scope, extents, look) : undefined
      },
    }),
  }
}

type Lasting = Exclude<PermissionAnswer['scope'], 'once'>

interface Extents {
  readonly rule: PermissionRule
  readonly exactRule: PermissionRule
}

export const scopeTitles = {
  session: 'Yes, for the rest of this session, to what?',
  always: 'Yes, always in this project, to what?',
} as const

/** What a yes that lasts is about: both rules are shown in full before either is kept. */
function extentQuestion(scope: Lasting, { rule, exactRule }: Extents, look: LineStyle): Question<PermissionAnswer> {
  return {
    lines: ['', ...headLines(scopeTitles[scope], look)],
    choices: (now) =>
      choiceLines(
        [
          ['c', `this very call: ${inOneLine(ruleText(exactRule))}`],
          ['k', `${kindWords(rule)}: ${inOneLine(ruleText(rule))}`],
          ['y', 'neither; yes, this once'],
          no,
        ],
        now,
      ),
    prompt: 'c/k/y/n> ',
    letters: 'cky',
    hint: 'Type c, k, y or n. Words behind n tell the model why.',
    read(line) {
      const { letter, words } = lettered(line)
      if (words === '' && (letter === 'c' || letter === 'call')) return { permit: 'allow', scope, extent: 'call' }
      if (words === '' && (letter === 'k' || letter === 'kind')) return { permit: 'allow', scope, extent: 'kind' }
      const answer = permitAnswer(line)
      return answer?.scope === 'once' ? answer : undefined
    },
  }
}

export function kindWords({ pattern = '' }: PermissionRule): string {
  const [, begin] = /^\w+\((.*):\*\)$/.exec(pattern) ?? []
  return begin === undefined ? 'every call of its kind' : `every command that begins with "${inOneLine(begin)}"`
}

const no = ['n', 'no; a few words behind it tell the model why'] as const

/** The rule that a lasting yes adds, so that the user agrees to nothing that is not shown. */
export function sameAgain(tool: string, rule: PermissionQuestion['rule']): string {
  if (rule?.tool !== undefined && rule.definition !== undefined) return `${inOneLine(rule.tool)} as it is now,`
  return rule === undefined ? `everything that ${inOneLine(tool)} does` : inOneLine(ruleText(rule))
}

function choiceLines(choices: readonly (readonly [string, string])[], { columns, paint }: LineStyle): string[] {
  return choices.flatMap(([letter, meaning]) =>
    wrap(meaning, columns - 6).map((line, index) => `  ${index === 0 ? paint('bold', letter) : ' '}  ${line}`),
  )
}

/** Only its own letter means yes, so that a line meant for something else never permits a call. */
function permitAnswer(line: string): PermissionAnswer | undefined {
  const { letter, words } = lettered(line)
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

/** The letter that a line begins with, and the words behind it. */
export function lettered(line: string): { readonly letter: string; readonly words: string } {
  const [, first = '', words = ''] = /^\s*(\S+)\s*([^]*?)\s*$/.exec(line) ?? []
  return { letter: first.toLowerCase().replace(/[,.:;]$/, ''), words }
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
      ...headLines(questionTitle({ kind: 'question', isPlan: false, title }), look),
      ...inLines(text).flatMap((line) => wrap(line, columns - 5).map((part) => `    ${part}`)),
      ...numbered.flatMap((option) => marked(option.mark, option.text, { columns, indent: '    ' })),
    ],
    // They are what the answer is understood by later, so they stay.
    choices: () => [],
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
