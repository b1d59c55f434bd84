import type { CommandTable, Option } from '../arguments/command.ts'
import { groupsOf, spellings, takesWord, type Values, valuesOf, completionWords } from './words.ts'

/** A completion script for bash 3.2 and later. */
export function bashCompletion(table: CommandTable): string {
  const { main, commands } = table
  const groups = [...groupsOf(table)]
  const firstWords = [...new Set(commands.map(({ name }) => name.split(' ', 1).join('')))]
  const all = [main, ...commands]
  const taking = main.options.filter(({ value, optional }) => value !== undefined && !optional).flatMap(spellings)
  return [
    '# Completion for bash. To have it always, put this line into ~/.bashrc:  source <(loader completion bash)',
    '_loader() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word index',
    '  COMPREPLY=()',
    '  for ((index = 1; index < COMP_CWORD; index++)); do',
    '    word=${COMP_WORDS[index]}',
    '    case $word in',
    '      --|-p|--print) command=-; break ;;',
    `      ${taking.join('|')}) ((index++)) ;;`,
    '      -*) ;;',
    ...groups.map(([name, members]) => {
      const seconds = members.map((member) => member.name.slice(name.length + 1)).join('|')
      const two = `((index + 1 < COMP_CWORD)) && command="$word \${COMP_WORDS[index+1]}"`
      return `      ${name}) command=$word; case \${COMP_WORDS[index+1]} in ${seconds}) ${two} ;; esac; break ;;`
    }),
    '      *) command=$word; break ;;',
    '    esac',
    '  done',
    '  case "$command $previous" in',
    ...all.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option))),
    '  esac',
    '  case $command in',
    `    '') ${offer({ kind: 'choices', choices: [...firstWords, ...optionsOf(main.options)] })} ;;`,
    ...groups.map(([name, members]) => {
      const seconds = members.map((member) => member.name.slice(name.length + 1))
      const own = commands.find((one) => one.name === name)
      const choices = [...seconds, ...(own === undefined ? [] : optionsOf(own.options))]
      return `    ${name}) ${offer({ kind: 'choices', choices })} ;;`
    }),
    ...commands
      .filter(({ name }) => !groups.some(([group]) => group === name))
      .map((command) => {
        const words = completionWords(command)
        const more = words?.kind === 'choices' ? words.choices : []
        const files = words === undefined || words.kind === 'choices' ? '' : `${offer(words)}; `
        return `    ${pattern(command.name)}) ${files}${offer({ kind: 'choices', choices: [...optionsOf(command.options), ...more] })} ;;`
      }),
    `    -) ${offer({ kind: 'choices', choices: optionsOf(main.options) })} ;;`,
    '  esac',
    '}',
    '# Names of models have colons, at which bash would take them apart.',
    'COMP_WORDBREAKS=${COMP_WORDBREAKS//:}',
    'complete -F _loader loader',
  ].join('\n')
}

function optionsOf(options: readonly Option[]): string[] {
  return options.map(({ name }) => `--${name}`)
}

function valueCase(command: string, option: Option): string[] {
  const values = valuesOf(option)
  if (values === undefined || !takesWord(option)) return []
  const patterns = spellings(option).map((written) => `"${command} ${written}"`)
  // Options of a task are offered without a command, and after -p.
  const all = command === '' ? [...patterns, ...spellings(option).map((written) => `"- ${written}"`)] : patterns
  return [`    ${all.join('|')}) ${offer(values)}; return ;;`]
}

function offer(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return `COMPREPLY+=($(compgen -W "${values.choices.join(' ')}" -- "$current"))`
    case 'folders':
      return 'COMPREPLY+=($(compgen -d -- "$current"))'
    case 'files':
      return 'COMPREPLY+=($(compgen -f -- "$current"))'
    case 'sessions':
    case 'models':
      return `COMPREPLY+=($(compgen -W "$(loader completion ${values.kind} 2>/dev/null | cut -f1)" -- "$current"))`
    case 'anything':
      return ':'
    default:
      return values satisfies never
  }
}

function pattern(name: string): string {
  return name.includes(' ') ? `"${name}"` : name
}
