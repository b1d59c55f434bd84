import { realpathSync } from 'node:fs'
import { localTools } from '@loader/tools'
import { decidePermit, explainPermit, ruleText } from '@loader/workflow'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { callFromText } from '../permissions/call-from-text.ts'
import { listedRules, permissionSettings, policyOf } from '../permissions/permission-settings.ts'
import { trustAdvice } from '../permissions/trust-advice.ts'
import { homeFolder } from '@loader/workspace'
import { placesOf } from '../places/places.ts'
import type { PermissionsExplainOutput } from '../schemas/permissions.ts'
import { type Paint, paintFor, type Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'

/** What would happen to a command or call, why, and what would change it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const settings = permissionSettings(places, console, given)
  const text = given.words[0] ?? ''
  if (text.trim() === '') throw new UsageError('There is no command to explain.', given.command.name)
  const root = realpathSync(places.root)
  const call = callFromText(text, root, localTools({ root }))
  const home = homeFolder()
  const place = { root, ...(home !== undefined && { home }) }
  const { decision, requiredMode, shell } = explainPermit(call, policyOf(settings, 'user'), [], place)
  const alone = decidePermit(call, policyOf(settings, 'nobody'), [], place)
  const output: PermissionsExplainOutput = {
    call: { tool: call.call.name, input: call.call.input },
    mode: settings.mode,
    requiredMode,
    permit: decision.permit,
    by: decision.by,
    rule: decision.rule ?? null,
    reason: decision.reason,
    withNobodyToAsk: alone.permit,
    wouldChange: [...decision.wouldChange],
    shell: shell ? { class: shell.class, reasons: shell.reasons.map(({ part, why }) => ({ part, why })) } : null,
    inert: listedRules(settings, places).filter(({ holds }) => !holds),
  }
  if (given.has('json')) printJson(console, output)
  else printLines(console, linesOf(text, output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return 'ok'
}

const styles = { deny: 'red', ask: 'yellow', allow: 'green' } as const satisfies Record<
  PermissionsExplainOutput['permit'],
  Style
>

function linesOf(
  text: string,
  output: PermissionsExplainOutput,
  { width, paint }: { width: number; paint: Paint },
): string[] {
  const { permit, by, rule, reason, mode, withNobodyToAsk, wouldChange, shell, inert } = output
  const source = rule === null ? by : `${by} ${ruleText(rule)}${rule.source === undefined ? '' : ` (${rule.source})`}`
  const fact = (name: string, value: string) => hanging(`${`${name}:`.padEnd(15)}`, inOneLine(value), width)
  return [
    ...hanging(`${paint(['bold', styles[permit]], permit)}  `, inOneLine(text), width, `${permit}  `.length),
    '',
    ...fact('why', reason),
    ...fact('decided by', source),
    ...fact('mode', mode),
    ...(withNobodyToAsk === permit ? [] : fact('nobody there', `${withNobodyToAsk} (without a terminal, or with -p)`)),
    ...(shell === null
      ? []
      : [...fact('read as', shell.class), ...shell.reasons.flatMap(({ part, why }) => fact('', `${part}: ${why}`))]),
    '',
    'What would change it:',
    ...wouldChange.flatMap((change) => hanging('  - ', inOneLine(change), width)),
    ...(inert.length === 0
      ? []
      : ['', ...wrap(`Allow rules of this project wait: ${inert.length}. ${trustAdvice}`, width)]),
  ]
}

/** A text behind a head, its further lines below its beginning. */
function hanging(head: string, text: string, width: number, indent = head.length): string[] {
  const [first = '', ...more] = wrap(text, width - indent)
  const margin = ' '.repeat(indent)
  return [`${head.trim() === ':' ? margin : head}${first}`, ...more.map((line) => margin + line)]
}
