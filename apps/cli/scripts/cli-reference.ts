// The parts of docs/cli.md that are made of what the command is made of: its table, its exit codes, its settings.
import { Limits } from '@loader/session-core/coding'
import { defaultLimits } from '@loader/workflow'
import type { Command, Option, Positional } from '../src/arguments/command.ts'
import { commands, main } from '../src/commands/table.ts'
import { exitCodes } from '../src/console/exit-codes.ts'
import { meaningOfSetting, Provider, Settings } from '../src/settings/settings.ts'
import { usualSettings } from '../src/settings/shown-settings.ts'

const parts: Readonly<Record<string, () => string>> = {
  options: () => optionTable(main.options),
  commands: () => commands.map(section).join('\n\n'),
  'exit codes': () =>
    table(
      ['code', 'meaning'],
      Object.values(exitCodes).map(([number, meaning]) => [String(number), meaning]),
    ),
  settings: () => table(['setting', 'what it is', 'usual'], settingRows()),
}

/** docs/cli.md with these parts as the command has them now. */
export function withReference(document: string): string {
  return withParts(document, parts)
}

/** The document with each part made anew. */
export function withParts(document: string, made: Readonly<Record<string, () => string>>): string {
  return Object.entries(made).reduce((text, [name, make]) => {
    const begin = `<!-- ${name}: begin. \`node --conditions=@loader/source apps/cli/scripts/write-docs.ts\` writes this. -->`
    const end = `<!-- ${name}: end -->`
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`A document needs a line "${begin}" and, below, "${end}".`)
    return `${text.slice(0, from)}${begin}\n\n${make()}\n\n${text.slice(to)}`
  }, document)
}

function section(command: Command): string {
  const { name, summary, options, positionals, notes = [] } = command
  const own = options.filter((option) => !['cd', 'color', 'debug', 'help'].includes(option.name))
  const usage = ['loader', name, ...(own.length > 0 ? ['[options]'] : []), ...positionals.map(written)].join(' ')
  const rows = [...positionals.map((one) => [`\`${written(one)}\``, one.summary]), ...own.map(optionRow)]
  return [
    `#### \`${usage}\``,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(rows.length === 0 ? [] : [table(['', ''], rows)]),
    ...notes,
  ].join('\n\n')
}

function optionTable(options: readonly Option[]): string {
  return table(['option', 'meaning'], options.map(optionRow))
}

function optionRow({ name, short, value, optional, choices, summary }: Option): string[] {
  const place = value === undefined ? '' : optional ? ` [${value}]` : ` <${value}>`
  const names = [...(short === undefined ? [] : [`\`-${short}\``]), `\`--${name}${place}\``].join(', ')
  const list = choices === undefined ? '' : `: ${choices.map((choice) => `\`${choice}\``).join(', ')}`
  return [names, `${summary}${list}`]
}

function written({ name, required, rest }: Positional): string {
  const word = rest ? `${name}...` : name
  return required ? `<${word}>` : `[${word}]`
}

function settingRows(): string[][] {
  return Object.entries(Settings.shape).flatMap(([name, setting]): string[][] => {
    if (name === 'limits') {
      return Object.entries(Limits.shape).map(([limit, schema]) => {
        const value = Reflect.get(defaultLimits, limit) as unknown
        return [`\`limits.${limit}\``, meaningOfSetting(schema), value === undefined ? '' : `\`${shown(value)}\``]
      })
    }
    const usual = usualSettings[name]
    const row = [`\`${name}\``, meaningOfSetting(setting), usual === undefined ? '' : `\`${shown(usual)}\``]
    if (name !== 'providers') return [row]
    const fields = Object.entries(Provider.shape).map(([field, schema]) => [
      `\`providers.NAME.${field}\``,
      meaningOfSetting(schema),
      '',
    ])
    return [row, ...fields]
  })
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Laid out as the formatter does it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)))
  const widths = head.map((_unused, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  const [first = [], ...others] = cells
  return [line(first), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)].join('\n')
}
