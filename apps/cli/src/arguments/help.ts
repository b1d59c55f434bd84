import { topics } from './topics.ts'
import type { Command, Option, Positional } from './command.ts'

/** The overview of all commands. Written for 80 columns, readable at 60. */
export function helpOverview(main: Command, commands: readonly Command[], columns: number): string {
  const rows = commands.map(({ name, summary }): [string, string] => [name, summary])
  const pages = `Pages to read, with loader help <page>: ${Object.keys(topics).join(', ')}`
  const notes = [
    ...(main.notes ?? []),
    'To make a task of a word that is a command, put -- before it.',
    pages,
    helpForOne,
  ]
  return [
    ...wrap(main.summary, columns),
    '',
    'Usage: loader [options] ["task"]',
    '       loader <command> [options]',
    '',
    'Options:',
    table(main.options.map(optionRow), columns),
    '',
    'Commands:',
    table(rows, columns),
    '',
    ...notes.flatMap((note) => wrap(note, columns)),
  ].join('\n')
}

const helpForOne = 'Help for one command: loader <command> --help'

/** The help of one command. */
export function helpFor(command: Command, columns: number): string {
  const { name, summary, options, positionals, notes = [] } = command
  const words = positionals.map(positionalUsage).join(' ')
  const shown = options.filter((option) => option.name !== 'help')
  const usage = ['Usage: loader', name, ...(shown.length > 0 ? ['[options]'] : []), words].filter((part) => part !== '')
  return [
    ...wrap(summary, columns),
    '',
    ...wrap(usage.join(' '), columns),
    ...(positionals.length === 0
      ? []
      : [
          '',
          table(
            positionals.map((one) => [one.name, one.summary]),
            columns,
          ),
        ]),
    ...(shown.length === 0 ? [] : ['', 'Options:', table(shown.map(optionRow), columns)]),
    ...(notes.length === 0 ? [] : ['', ...notes.flatMap((note) => wrap(note, columns))]),
  ].join('\n')
}

function positionalUsage({ name, required, rest }: Positional): string {
  const word = rest ? `${name}...` : name
  return required ? `<${word}>` : `[${word}]`
}

function optionRow({ name, short, value, optional, choices, summary }: Option): [string, string] {
  const place = value === undefined ? '' : optional ? ` [${value}]` : ` <${value}>`
  const left = `${short === undefined ? '    ' : `-${short}, `}--${name}${place}`
  return [left, choices === undefined ? summary : `${summary} (${choices.join(', ')})`]
}

/** In a narrow terminal, what options mean needs the room more than their names. */
const widestLeft = (columns: number) => (columns < 52 ? 4 : columns < 72 ? 22 : 30)

/** Two columns; if the left cell is too wide, the right one goes on the next line. */
function table(rows: readonly (readonly [string, string])[], columns: number): string {
  const left = Math.min(widestLeft(columns), Math.max(...rows.map(([text]) => text.length)))
  const room = Math.max(24, columns - left - 4)
  return rows
    .flatMap(([name, text]) => {
      const [first = '', ...more] = wrap(text, room)
      const indent = ' '.repeat(left + 4)
      const head = name.length > left ? [`  ${name}`, `${indent}${first}`] : [`  ${name.padEnd(left)}  ${first}`]
      return [...head, ...more.map((line) => indent + line)]
    })
    .join('\n')
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
