import type { Command, CommandTable, Option } from '../arguments/command.ts'
import { groupsOf, quoted, spellings, type Values, valuesOf, completionWords } from './words.ts'

/** A completion script for zsh. */
export function zshCompletion(table: CommandTable): string {
  const { main, commands } = table
  const groups = groupsOf(table)
  const single = commands.filter(({ name }) => !name.includes(' '))
  const first = [
    ...single.map(({ name, summary }) => described(name, summary)),
    ...groupsAlone(groups, single).map(([name, members]) =>
      described(name, members.map((one) => one.name.split(' ')[1]).join(', ')),
    ),
  ]
  return [
    '#compdef loader',
    '# Completion for zsh. To have it always, put this line into ~/.zshrc, behind compinit:  source <(loader completion zsh)',
    '_loader_known() {',
    '  local -a found',
    '  found=("${(@f)$(loader completion $1 2>/dev/null)}")',
    '  found=("${found[@]//:/\\\\:}")',
    '  found=("${found[@]/$\'\\t\'/:}")',
    '  _describe -t $1 $1 found',
    '}',
    '_loader() {',
    '  local context state state_descr line command',
    '  typeset -A opt_args',
    '  _arguments -C \\',
    ...main.options.map((option) => `    ${argument(option)} \\`),
    "    '1: :->first' '*:: :->rest'",
    '  case $state in',
    '    first)',
    `      local -a commands=(${first.join(' ')})`,
    "      _describe -t commands 'command' commands ;;",
    '    rest)',
    '      command=$line[1]',
    '      case $command in',
    ...single
      .filter(({ name }) => !groups.has(name))
      .map((command) => `        ${command.name}) ${argumentsOf(command)} ;;`),
    ...[...groups].flatMap(([name, members]) => {
      return groupCases(
        name,
        members,
        single.find((one) => one.name === name),
      )
    }),
    '      esac ;;',
    '  esac',
    '}',
    '(( $+functions[compdef] )) && compdef _loader loader',
    '[[ $funcstack[1] == _loader ]] && _loader "$@"',
    'true',
  ].join('\n')
}

/** Groups whose first word alone is no command. */
function groupsAlone(groups: ReadonlyMap<string, readonly Command[]>, single: readonly Command[]) {
  return [...groups].filter(([name]) => !single.some((one) => one.name === name))
}

function groupCases(name: string, members: readonly Command[], own: Command | undefined): string[] {
  const seconds = members.map((one) => described(one.name.slice(name.length + 1), one.summary))
  return [
    `        ${name})`,
    '          if (( CURRENT == 2 )); then',
    `            local -a commands=(${seconds.join(' ')})`,
    `            _describe -t commands 'command' commands`,
    ...(own === undefined ? [] : [`            ${argumentsOf(own)}`]),
    '          else',
    '            shift words; (( CURRENT-- ))',
    '            case $words[1] in',
    ...members.map((one) => `              ${one.name.slice(name.length + 1)}) ${argumentsOf(one)} ;;`),
    ...(own === undefined ? [] : [`              *) ${argumentsOf(own)} ;;`]),
    '            esac',
    '          fi ;;',
  ]
}

function argumentsOf(command: Command): string {
  const words = completionWords(command)
  const positional = words === undefined ? `'*: :'` : quoted(`1: :${action(words)}`)
  return ['_arguments', ...command.options.map(argument), positional].join(' ')
}

function argument(option: Option): string {
  const { summary, value, repeated, optional } = option
  const values = valuesOf(option)
  const place = values === undefined ? '' : `${optional ? '::' : ':'}${value}:${action(values)}`
  const text = `[${summary.replace(/[[\]\\:]/g, (sign) => `\\${sign}`)}]${place}`
  const written = spellings(option)
  // Both spellings of an option are offered until one of them is used.
  const exclusive = repeated ? "'*'" : quoted(`(${written.join(' ')})`)
  const names = written.length === 1 ? quoted(`${written[0]}${text}`) : `{${written.join(',')}}${quoted(text)}`
  return `${exclusive}${names}`
}

function action(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return `(${values.choices.join(' ')})`
    case 'folders':
      return '_files -/'
    case 'files':
      return '_files'
    case 'sessions':
    case 'models':
      return '_loader_known ' + values.kind
    case 'anything':
      return ' '
    default:
      return values satisfies never
  }
}

function described(name: string, summary: string): string {
  return quoted(`${name}:${summary.replaceAll(':', String.raw`\:`)}`)
}
