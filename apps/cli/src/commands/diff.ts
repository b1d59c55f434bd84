import { LoaderError } from '@loader/session-core'
import type { WorkspaceTrees } from '@loader/session-core/coding'
import { counted, inLines, inOneLine } from '@loader/readings'
import { liveTurns, workOfTurns } from '@loader/workflow'
import { keepProject, openWorkspace } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import type { Places } from '../places/places.ts'
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
  const work = workOfTurns(chosen.recording, turnIds)
  const [first, ...others] = work.spans
  const done = first === undefined ? nothing : await difference(treesOf(chosen.places, console), [first, ...others])
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
function turnsOf({ recording, row }: ChosenSession, wanted: string | undefined): string[] {
  const turnIds = liveTurns(recording).map(({ turnId }) => turnId)
  if (wanted === undefined) return turnIds
  const found = /^[1-9]\d*$/.test(wanted) ? turnIds.at(-Number(wanted)) : turnIds.find((id) => id === wanted)
  if (found !== undefined) return [found]
  const there = turnIds.length === 0 ? 'none yet' : turnIds.join(', ')
  throw new LoaderError('invalid_id', `Session ${row.id} has no turn ${inOneLine(wanted)}. Its turns are: ${there}.`)
}

function treesOf(places: Places, { environment }: Console): WorkspaceTrees {
  const { root, folders } = requireProject(places).project()
  const project = places.project()
  const beforeTrees = () => keepProject(project, { variables: environment })
  const { trees } = openWorkspace({ root, variables: environment, treesFolder: folders.trees, beforeTrees })
  if (trees === undefined) throw new LoaderError('unsupported', `No trees are kept of ${root}.`)
  return trees
}

type Difference = Pick<DiffOutput, 'before' | 'after' | 'files' | 'patch'>

const nothing: Difference = { before: null, after: null, files: [], patch: '' }

async function difference(trees: WorkspaceTrees, spans: Parameters<WorkspaceTrees['without']>[0]): Promise<Difference> {
  const { tree } = await trees.without(spans)
  const before = tree.id
  const after = (spans.at(-1) ?? spans[0]).after.id
  const lines = await trees.lines(before, after)
  const changes = await trees.changes(before, after)
  const files = changes.map(({ path, change }) => ({ path, change, ...lines.get(path) }))
  return { before, after, files, patch: await trees.patch(before, after) }
}

function notesOf({ files, turnIds, unseen }: DiffOutput): string[] {
  return [
    ...(files.length === 0 ? [`No file is different for ${counted(turnIds.length, 'turn')}.`] : []),
    ...unseen.map(({ turnId, why }) => `What ${turnId} has changed is not known: ${why}`),
  ]
}
