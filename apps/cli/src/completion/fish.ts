import type { Command, CommandTable, Option } from '../arguments/command.ts'
import { groupsOf, spellings, takesWord, type Values, valuesOf, completionWords } from './words.ts'

/** A completion script for fish. */
export function fishCompletion(table: CommandTable): string {
  const { main, commands } = table
  const groups = groupsOf(table)
  const single = commands.filter(({ name }) => !name.includes(' '))
  return [
    '# Completion for fish. To have it always:  loader completion fish > ~/.config/fish/completions/loader.fish',
    ...beforeCommandFunction(main),
    'complete -c loader -f',
    ...main.options.map((option) => optionLine(beforeCommand, option)),
    ...single.map(({ name, summary }) => wordLine(mayBeCommand, name, summary)),
    ...[...groups]
      .filter(([name]) => !single.some((one) => one.name === name))
      .map(([name, members]) => {
        const words = members.map((one) => one.name.slice(name.length + 1)).join(', ')
        return wordLine(mayBeCommand, name, words)
      }),
    ...single.flatMap((command) => commandLines(`__fish_seen_subcommand_from ${command.name}`, command)),
    ...[...groups].flatMap(([name, members]) => groupLines(name, members)),
  ].join('\n')
}

const beforeCommand = '__loader_before_command'
/** After `-p`, every word belongs to the task. */
const mayBeCommand = `${beforeCommand}; and not __fish_contains_opt -s p print`

/** Whether no command was given yet. Needed because fish takes the value of an option for a command. */
function beforeCommandFunction({ options }: Command): string[] {
  const withValue = options.filter((option) => valuesOf(option) !== undefined && !option.optional).flatMap(spellings)
  return [
    `function ${beforeCommand}`,
    '  set -l words (commandline -opc)',
    '  set -l is_value no',
    '  for word in $words[2..-1]',
    '    if test $is_value = yes',
    '      set is_value no',
    `    else if contains -- $word ${withValue.join(' ')}`,
    '      set is_value yes',
    "    else if not string match -q -- '-*' $word",
    '      return 1',
    '    end',
    '  end',
    'end',
  ]
}

function groupLines(name: string, members: readonly Command[]): string[] {
  const seconds = members.map((one) => one.name.slice(name.length + 1))
  const isOpen = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${seconds.join(' ')}`
  return members.flatMap((command, index) => {
    const second = seconds[index] ?? ''
    const seen = `__fish_seen_subcommand_from ${name}; and __fish_seen_subcommand_from ${second}`
    return [wordLine(isOpen, second, command.summary), ...commandLines(seen, command)]
  })
}

function commandLines(condition: string, command: Command): string[] {
  const words = completionWords(command)
  const offered = words === undefined ? [] : [`complete -c loader -n ${quoted(condition)} ${offer(words)}`.trimEnd()]
  return [...offered, ...command.options.map((option) => optionLine(condition, option))]
}

function optionLine(condition: string, option: Option): string {
  const { name, short, summary } = option
  const values = valuesOf(option)
  const takes = values === undefined || !takesWord(option) ? '' : ` -x ${offer(values)}`.trimEnd()
  const letter = short === undefined ? '' : ` -s ${short}`
  return `complete -c loader -n ${quoted(condition)} -l ${name}${letter} -d ${quoted(summary)}${takes}`
}

function wordLine(condition: string, word: string, summary: string): string {
  return `complete -c loader -n ${quoted(condition)} -a ${word} -d ${quoted(summary)}`
}

function offer(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return `-a ${quoted(values.choices.join(' '))}`
    case 'folders':
      return "-a '(__fish_complete_directories)'"
    case 'files':
      return "-a '(__fish_complete_path)'"
    case 'sessions':
    case 'models':
      return `-a '(loader completion ${values.kind} 2>/dev/null)'`
    case 'anything':
      return ''
    default:
      return values satisfies never
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
