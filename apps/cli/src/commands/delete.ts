import { join } from 'node:path'
import { inOneLine } from '@loader/readings'
import { hasSession } from '@loader/session-fs'
import { removeKept } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { askYes } from '../console/ask-yes.ts'
import { type Console, isInteractive } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { requireSession } from '../sessions/find-session.ts'
import { type Places, placesOfSession, sessionFolders } from '../places/places.ts'
import { printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { pruneTrees } from '../sessions/prune-trees.ts'
import { storeOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'

/** Moves a session to the trash, or erases it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOfSession(given, console, given.words[0])
  const store = storeOf(places)
  const { id, title } = await requireSession(store, given.words[0])
  const erase = given.has('erase')
  const what = erase ? 'Erase for good' : 'Move to the trash'
  if (!given.has('yes') && !(await isWanted(`${what}: "${inOneLine(title)}" (${id})?`, console))) {
    printLines(console, ['Nothing was deleted.'])
    return 'ok'
  }
  await freeSession(store, id, given, (note) => printNotes(console, [note]))
  const { folders } = places.project()
  const folder = sessionFolders(places.root, folders).find((one) => hasSession(one, id)) ?? ''
  await store.delete(id, { erase })
  removeKept(folders.scratch(id))
  await forgetTrees(places, console)
  printLines(console, [erase ? `Session ${id} is gone.` : `Session ${id} is in ${join(folder, '_trash')}`])
  return 'ok'
}

/** The session is gone, whatever becomes of its trees. */
async function forgetTrees(places: Places, console: Console): Promise<void> {
  try {
    await pruneTrees(places, console)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    printNotes(console, [`The trees of its files are still kept: ${error.message}`])
  }
}

async function isWanted(question: string, console: Console): Promise<boolean> {
  if (isInteractive(console)) return askYes(console, question)
  throw new UsageError('Nobody is there to be asked whether to delete the session. Say it with --yes.', 'delete')
}
