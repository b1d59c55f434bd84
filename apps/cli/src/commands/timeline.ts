import { EntryKind, WorkflowMode } from '@loader/session-core/coding'
import type { TimelineFilter } from '@loader/workflow'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { chooseSession } from '../sessions/chosen-session.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { paintFor } from '../screen/paint.ts'
import { printJson, printLines } from '../console/print.ts'
import { timelineReading } from '@loader/readings'
import { sessionHeading } from '../views/session-heading.ts'
import { timelineLines } from '../views/timeline-lines.ts'
import { wholeNumber } from '../arguments/whole-number.ts'

/** Prints the decisions of the runtime with their reasons. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const filter = filterOf(given)
  const { row, state, history } = await chooseSession(given, console)
  const output = timelineReading(history, state, filter)
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  const isFiltered = Object.keys(filter).length > 0
  printLines(console, [...sessionHeading(row, options), '', ...timelineLines(output, { ...options, isFiltered })])
  return 'ok'
}

function filterOf(given: Given): TimelineFilter {
  const mode = oneOf(given, 'mode', WorkflowMode.options)
  const kind = oneOf(given, 'kind', EntryKind.options)
  const limit = wholeNumber(given, 'limit')
  return {
    ...(mode !== undefined && { mode }),
    ...(kind !== undefined && { kind }),
    ...(given.has('policy') && { accountability: 'only' as const }),
    ...(limit !== undefined && { limit }),
  }
}

function oneOf<Value extends string>(given: Given, name: string, choices: readonly Value[]): Value | undefined {
  const text = given.value(name)
  if (text === undefined) return undefined
  const chosen = choices.find((choice) => choice === text)
  if (chosen !== undefined) return chosen
  const listed = choices.join(', ')
  throw new UsageError(`--${name} cannot be ${JSON.stringify(text)}. It is one of: ${listed}.`, given.command.name)
}
