import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { LoaderError } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'
import { requireSession } from '../sessions/find-session.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { placesOfSession } from '../places/places.ts'
import { printJson, printLines } from '../console/print.ts'
import type { RewindOutput } from '../schemas/rewind.ts'
import { counted, inOneLine } from '@loader/readings'
import { wrap } from '../screen/width.ts'
import { rewoundLines } from '../views/rewound-lines.ts'
import { shownPath } from '../views/shown-path.ts'
import { requireProject } from '../run/places-of-run.ts'
import { storeOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'
import { noBackend } from '../run/no-backend.ts'

/** Goes back to before a turn, including the files; without --yes it only shows what would happen. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = requireProject(placesOfSession(given, console, given.words[0]), given.words[0])
  const store = await storeOf({ given, console, places })
  const { id } = await requireSession(store, given.words[0])
  await freeSession(store, id, given, (note) => printNotes(console, [note]))
  await using agent = new RuntimeHandle(
    localOptions({ backend: noBackend, projectRoot: places.root, project: places.project(), store }),
  )
  if (!(await agent.resumeSession(id))) {
    throw new LoaderError(
      'session_not_found',
      `Session ${id} is not there any more. See which there are: loader sessions`,
    )
  }
  const done = given.has('yes')
  const files = !given.has('conversation-only')
  const { plan: _plan, ...result } = await agent.rewind({ toTurn: turnOf(given), files, preview: !done })
  const output: RewindOutput = { session: id, done, ...result }
  if (given.has('json')) printJson(console, output)
  else printLines(console, rewindLines(shown(output, places.root), columnsOf(console), paintFor(given, console)))
  return 'ok'
}

/** The wanted turn: a number counts back from the last turn, other words are an id. Without one, the last turn. */
function turnOf(given: Given): string | number {
  const to = given.value('to') ?? '1'
  return /^[1-9]\d*$/.test(to) ? Number(to) : to
}

function shown(output: RewindOutput, root: string): RewindOutput {
  return { ...output, files: output.files.map((file) => ({ ...file, path: shownPath(root, file.path) })) }
}

function rewindLines(output: RewindOutput, width: number, paint: Paint): string[] {
  const { session, done, turnIds, input } = output
  const head = done ? 'Taken back' : 'Would be taken back'
  const last = done
    ? `Go on with: loader -r ${session} "<what to do>"`
    : 'Nothing has been changed. Do it with --yes; leave the files alone with --conversation-only.'
  return [
    paint('bold', `${head}: ${counted(turnIds.length, 'turn')}, from these words on`),
    ...wrap(`  "${inOneLine(input)}"`, width),
    ...rewoundLines(output, { width, paint }),
    ...wrap(last, width),
  ]
}
