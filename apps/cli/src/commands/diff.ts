import { LoaderError } from '@loader/session-core'
import { counted, inLines, inOneLine } from '@loader/readings'
import { liveTurns, workOfTurns } from '@loader/workflow'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { differenceOf, nothingChanged, treesOf } from '../diffs/difference.ts'
import { requireProject } from '../run/places-of-run.ts'
import type { DiffOutput } from '../schemas/diff.ts'
import { paintFor } from '../screen/paint.ts'
import { chooseSession, type ChosenSession } from '../sessions/chosen-session.ts'
import { patchLines, statLines } from '../views/patch-lines.ts'

/**
 * Shows the changes that calls and checks of a session, or of one turn, made to files. Changes by others are left out.
 */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const chosen = await chooseSession(given, console)
  const turnIds = turnsOf(chosen, given.value('turn'))
  const work = workOfTurns(chosen.history, turnIds)
  const [first, ...others] = work.spans
  const project = () => requireProject(chosen.places).project()
  const trees = () => treesOf(project(), console.environment)
  const done = first === undefined ? nothingChanged : await differenceOf(trees(), [first, ...others])
  const output: DiffOutput = { session: chosen.row.id, turnIds, ...done, unseen: work.unseen }
  if (given.has('json')) {
    printJson(console, output)
    return 'ok'
  }
  printNotes(console, notesOf(output))
  const look = { width: columnsOf(console), paint: paintFor(given, console) }
  if (given.has('stat')) printLines(console, statLines(output.files, look))
  else if (console.stdout.isTTY === true) printLines(console, patchLines(inLines(output.patch), look))
  else console.stdout.write(output.patch)
  return 'ok'
}

/**
 * The ids of the wanted turns: a number counts back from the last turn, other words are an id. Without one, all turns.
 */
function turnsOf({ history, row }: ChosenSession, wanted: string | undefined): string[] {
  const turnIds = liveTurns(history).map(({ turnId }) => turnId)
  if (wanted === undefined) return turnIds
  const found = /^[1-9]\d*$/.test(wanted) ? turnIds.at(-Number(wanted)) : turnIds.find((id) => id === wanted)
  if (found !== undefined) return [found]
  const there = turnIds.length === 0 ? 'none yet' : turnIds.join(', ')
  throw new LoaderError('invalid_id', `Session ${row.id} has no turn ${inOneLine(wanted)}. Its turns are: ${there}.`)
}

function notesOf({ files, turnIds, unseen }: DiffOutput): string[] {
  return [
    ...(files.length === 0 ? [`No file is different for ${counted(turnIds.length, 'turn')}.`] : []),
    ...unseen.map(({ turnId, why }) => `What ${turnId} has changed is not known: ${why}`),
  ]
}
