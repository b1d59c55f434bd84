import * as z from 'zod'
import { partsOf } from '../script/answer.ts'
import { withCallIds, withLineCallIds } from '../script/call-ids.ts'
import { snapshot } from '../script/snapshot.ts'
import { ScriptSettings, WireLine, type WireModel, type WireScriptLine, type WireScriptSource } from './wire-script.ts'

/** A validated script, with an id on every call. */
export interface PreparedScript {
  readonly name: string
  readonly key: string | undefined
  readonly order: 'requests' | 'conversation'
  /** Undefined means that every name is accepted as a model. */
  readonly models: readonly WireModel[] | undefined
  readonly usage: 'scripted' | 'counted'
  readonly rules: Readonly<Partial<Record<string, 'on' | 'off'>>>
  readonly lines: readonly WireScriptLine[]
}

export function prepareScript(name: string, { lines, ...source }: WireScriptSource): PreparedScript {
  const settings = ScriptSettings.safeParse(source)
  if (!settings.success) throw new Error(`Script ${name} is wrong:\n${z.prettifyError(settings.error)}`)
  const { key, order = 'requests', models, usage = 'scripted', rules = {} } = settings.data
  const checked = lines.map((line, at) => (typeof line === 'function' ? line : parseLine(line, `Line ${at + 1}`)))
  requireReachable(checked)
  return { name, key, order, models, usage, rules, lines: numbered(checked) }
}

/** The line that a function made, validated like any other. */
export function madeLine(line: unknown, number: number): WireLine {
  const checked = parseLine(line, `What the function of line ${number} gave`)
  return { ...checked, ...withLineCallIds(checked, number) }
}

/** How many requests a line answers. */
export function usesOf(line: WireScriptLine): number {
  const { repeat = 1 } = typeof line === 'function' ? {} : line
  return repeat === 'any' ? Infinity : repeat
}

function parseLine(line: unknown, place: string): WireLine {
  const result = WireLine.safeParse(line)
  if (!result.success) throw new Error(`${place} is wrong:\n${z.prettifyError(result.error)}`)
  if (partsOf(result.data).some(({ type }) => type === 'file'))
    throw new Error(`${place} is wrong: none of the protocols can carry a file in an answer.`)
  return snapshot(result.data)
}

function numbered(lines: readonly WireScriptLine[]): readonly WireScriptLine[] {
  // Functions keep their position: the lines they make get their ids later.
  const withIds = withCallIds(lines.map((line) => (typeof line === 'function' ? () => ({}) : line)))
  return lines.map((line, at) => {
    const identified = withIds[at]
    return typeof line === 'function' || typeof identified === 'function' ? line : { ...line, ...identified }
  })
}

function requireReachable(lines: readonly WireScriptLine[]): void {
  const greedy = lines.findIndex((line) => typeof line !== 'function' && line.repeat === 'any' && !line.when)
  if (greedy >= 0 && greedy < lines.length - 1)
    throw new Error(`Line ${greedy + 1} answers any number of requests, so that line ${greedy + 2} is never reached.`)
}
