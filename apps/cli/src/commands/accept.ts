import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { inLines } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOfSession } from '../places/places.ts'
import { requireProject } from '../run/places-of-run.ts'
import type { AcceptOutput } from '../schemas/accept.ts'
import { printNotes } from '../screen/notes.ts'
import { paintFor } from '../screen/paint.ts'
import { requireSession } from '../sessions/find-session.ts'
import { storeOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'
import { acceptLines } from '../views/accept-lines.ts'
import { noBackend } from '../run/no-backend.ts'

/** Shows what the last turn rests on, and accepts it with --yes. Fails if another process writes the session. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = requireProject(placesOfSession(given, console, given.words[0]), given.words[0])
  const store = await storeOf({ given, console, places })
  const { id } = await requireSession(store, given.words[0])
  await freeSession(store, id, given, (note) => printNotes(console, [note]))
  const project = places.project()
  await using agent = new RuntimeHandle(localOptions({ backend: noBackend, projectRoot: places.root, project, store }))
  await agent.resumeSession(id)
  const done = given.has('yes')
  const result = await agent.accept({ by: 'the user', preview: !done })
  const nothing = { files: [], packages: [], tests: [], patch: '', judgement: null }
  const output: AcceptOutput = { session: id, done: done && result !== undefined, ...(result ?? nothing) }
  if (given.has('json')) printJson(console, output)
  else {
    const look = { width: columnsOf(console), paint: paintFor(given, console) }
    printLines(console, acceptLines({ ...output, patch: inLines(output.patch).join('\n') }, look))
  }
  return 'ok'
}
