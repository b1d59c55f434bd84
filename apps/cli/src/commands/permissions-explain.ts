import { realpathSync } from 'node:fs'
import { localTools } from '@loader/tools'
import { decidePermission, explainPermission, needOf, type PermissionCall, ruleText } from '@loader/workflow'
import { inOneLine } from '@loader/readings'
import type { Policy } from '@loader/session-core/coding'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { callFromText } from '../permissions/call-from-text.ts'
import { listedRules, permissionSettings, policyWith } from '../permissions/permission-settings.ts'
import { wallsIn } from '../doctor/walls.ts'
import { trustAdvice } from '../permissions/trust-advice.ts'
import { homeFolder } from '@loader/workspace'
import { placesOf } from '../places/places.ts'
import type { PermissionsExplainOutput } from '../schemas/permissions.ts'
import { type Paint, paintFor, type Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'

/** Shows the permission for a command or call, the reasons, and what would change it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const settings = permissionSettings(places, console, given)
  const text = given.words[0] ?? ''
  if (text.trim() === '') throw new UsageError('There is no command to explain.', given.command.name)
  const root = realpathSync(places.root)
  const walls = await wallsIn(places, console.environment).state()
  const policy = policyWith({ ...settings, walls }, 'user')
  const call = withNeed(callFromText(text, root, localTools({ root })), policy)
  const home = homeFolder()
  const place = { root, ...(home !== undefined && { home }) }
  const { decision, requiredMode, reach } = explainPermission(call, policy, [], place)
  const alone = decidePermission(call, policyWith({ ...settings, walls }, 'nobody'), [], place)
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
    reach,
    inert: listedRules(settings, places).filter(({ holds }) => !holds),
  }
  if (given.has('json')) printJson(console, output)
  else
    printLines(console, explanationLines(text, output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return 'ok'
}

const styles = { deny: 'red', ask: 'yellow', allow: 'green' } as const satisfies Record<
  PermissionsExplainOutput['permit'],
  Style
>

function explanationLines(
  text: string,
  output: PermissionsExplainOutput,
  { width, paint }: { width: number; paint: Paint },
): string[] {
  const { permit, by, rule, reason, mode, withNobodyToAsk, wouldChange, reach, inert } = output
  const source = rule === null ? by : `${by} ${ruleText(rule)}${rule.source === undefined ? '' : ` (${rule.source})`}`
  const fact = (name: string, value: string) => hanging(`${`${name}:`.padEnd(15)}`, inOneLine(value), width)
  return [
    ...hanging(`${paint(['bold', styles[permit]], permit)}  `, inOneLine(text), width, `${permit}  `.length),
    '',
    ...fact('why', reason),
    ...fact('decided by', source),
    ...fact('mode', mode),
    ...(withNobodyToAsk === permit ? [] : fact('nobody there', `${withNobodyToAsk} (without a terminal, or with -p)`)),
    ...fact('reach', `${reach}: ${reaches[reach]}`),
    '',
    'What would change it:',
    ...wouldChange.flatMap((change) => hanging('  - ', inOneLine(change), width)),
    ...(inert.length === 0
      ? []
      : ['', ...wrap(`Allow rules of this project wait: ${inert.length}. ${trustAdvice}`, width)]),
  ]
}

const reaches = {
  look: 'nothing can be changed, no network',
  work: 'the workspace can be changed, no network',
  network: 'as work, and the network',
  open: 'everything that you can',
} as const satisfies Record<PermissionsExplainOutput['reach'], string>

/** Adds the need of the call, computed as an agent would. */
function withNeed({ call, examined = { effect: 'unknown' } }: PermissionCall, policy: Policy): PermissionCall {
  const { effect, paths = [], command, reach } = examined
  const need = needOf({ effect, paths, ...(command !== undefined && { command }), ...(reach && { reach }) }, policy)
  return { call, examined: { ...examined, ...need } }
}

/** A text after a prefix, with its other lines aligned to it. */
function hanging(head: string, text: string, width: number, indent = head.length): string[] {
  const [first = '', ...more] = wrap(text, width - indent)
  const margin = ' '.repeat(indent)
  return [`${head.trim() === ':' ? margin : head}${first}`, ...more.map((line) => margin + line)]
}
