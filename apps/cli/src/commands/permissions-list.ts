import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { listedRules, permissionSettings } from '../permissions/permission-settings.ts'
import { trustAdvice } from '../permissions/trust-advice.ts'
import { placesOf } from '../places/places.ts'
import { shortPath } from '../places/short-path.ts'
import type { ListedRule, PermissionsListOutput } from '../schemas/permissions.ts'
import { type Paint, paintFor, type Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { table } from '../tables/table.ts'

/** Lists the rules in force with their sources. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const settings = permissionSettings(places, console)
  const { mode, trusted } = settings
  const output: PermissionsListOutput = { mode, trusted, rules: listedRules(settings, places) }
  if (given.has('json')) printJson(console, output)
  else
    printLines(
      console,
      listedRuleLines(output, places.root, { width: columnsOf(console), paint: paintFor(given, console) }),
    )
  return 'ok'
}

const styles = { deny: 'red', ask: 'yellow', allow: 'green' } as const satisfies Record<ListedRule['permit'], Style>

function listedRuleLines(
  { mode, rules }: PermissionsListOutput,
  root: string,
  options: { width: number; paint: Paint },
): string[] {
  const [first = '', ...more] = wrap(
    `Mode: ${mode}. It decides where no rule speaks; deny goes before ask, and ask before allow.`,
    options.width,
  )
  const head = [first, ...more]
  if (rules.length === 0)
    return [
      ...head,
      ...wrap('There are no rules. Add one: loader permissions add allow "Bash(npm test:*)"', options.width),
    ]
  const waiting = rules.filter(({ holds }) => !holds).length
  return [
    ...head,
    '',
    ...table<ListedRule>(
      rules,
      [
        {
          head: 'permission',
          cell: ({ permit }) => permit,
          style: ({ permit, holds }) => (holds ? styles[permit] : 'dim'),
        },
        { head: 'rule', cell: ({ rule, holds }) => `${inOneLine(rule)}${holds ? '' : ' (waits)'}` },
        {
          head: 'source',
          flexible: true,
          cell: ({ source }) => inOneLine(shortPath(source, root)),
          style: () => 'dim',
        },
      ],
      options,
    ),
    ...(waiting === 0
      ? []
      : [
          '',
          ...wrap(`Rules marked with (waits) do not count: this project is not trusted. ${trustAdvice}`, options.width),
        ]),
  ]
}
