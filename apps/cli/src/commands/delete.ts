import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { inOneLine } from '@loader/readings'
import { hasSession } from '@loader/session-fs'
import type { SessionRow } from '@loader/session-core'
import { LocalTrees, programOnPath, removeKept, stopLiving, treesNamedIn, WorkspaceCopies } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { type Console, isInteractive } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { livingIn } from '../sessions/background-of.ts'
import { allRows, requireSession } from '../sessions/find-session.ts'
import { type Places, placesOfSession, sessionFolders } from '../places/places.ts'
import { hasSessionsElsewhere } from '../places/sessions-elsewhere.ts'
import { printLines } from '../console/print.ts'
import { printNotes } from '../screen/notes.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import { databaseOf, filesOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'

/** Moves a session to the trash, or erases it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOfSession(given, console, given.words[0])
  const address = await storeAddress({ given, console, places })
  if (address !== undefined && !given.has('erase')) throw new UsageError(noTrash, 'delete')
  const store = address === undefined ? filesOf(places) : await databaseOf(address, places)
  const { id, title } = await requireSession(store, given.words[0])
  const erase = given.has('erase')
  const what = erase ? 'Erase for good' : 'Move to the trash'
  if (!given.has('yes') && !(await isWanted(`${what}: "${inOneLine(title)}" (${id})?`, console))) {
    printLines(console, ['Nothing was deleted.'])
    return 'ok'
  }
  // A child first: as long as its parent is there, it can be found.
  for (const child of childrenOf(id, await allRows(store))) {
    await freeSession(store, child, given, (note) => printNotes(console, [note]))
    await store.delete(child, { erase })
    await forgetCopy(places, child)
  }
  await freeSession(store, id, given, (note) => printNotes(console, [note]))
  const { folders } = places.project()
  const folder = sessionFolders(places.root, folders).find((one) => hasSession(one, id)) ?? ''
  await store.delete(id, { erase })
  // Those that go on would write into a folder that is gone.
  for (const command of livingIn(places, console, 'here')) if (command.session === id) await stopLiving(command)
  await forgetCopy(places, id)
  await forgetTrees(places, console)
  printLines(console, [erase ? `Session ${id} is gone.` : `Session ${id} is in ${join(folder, '_trash')}`])
  return 'ok'
}

/** The sessions that a session has begun, those that they have begun first. */
function childrenOf(id: string, rows: readonly SessionRow[]): string[] {
  return rows.filter(({ parent }) => parent === id).flatMap((row) => [...childrenOf(row.id, rows), row.id])
}

/** The copy of a session that never came to its end, and what it kept. */
async function forgetCopy({ root, standing, project }: Places, id: string): Promise<void> {
  const { folders } = project()
  removeKept(folders.scratch(id))
  if (standing === 'there' && existsSync(join(folders.folder, 'copies', id))) {
    await new WorkspaceCopies({ root, project: project() }).remove(id)
  }
}

const noTrash = 'A database has no trash, so nothing was deleted. To remove the session for good: --erase.'

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
  throw new UsageError(
    'Running non-interactively, so nothing asks whether to delete the session. Confirm with --yes.',
    'delete',
  )
}

/**
 * Forgets the trees of the workspace that no session of the project names any more. Sessions in the trash count as long as
 * they lie there. Where sessions lie in a database as well, this folder does not tell which trees they name, and nothing
 * is forgotten.
 */
async function pruneTrees({ root, project }: Places, { environment }: Console): Promise<void> {
  const { folders } = project()
  if (!existsSync(folders.trees) || !existsSync(root) || hasSessionsElsewhere(folders)) return
  const variables = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const git = programOnPath('git', variables, root)
  if (git === undefined) return
  using trees = new LocalTrees({ root, folder: folders.trees, git, variables })
  await trees.prune([...treesNamedIn(sessionFolders(root, folders))])
}

/** Asks a question that only an explicit yes confirms. It is printed to standard error, because it is not a result. */
async function askYes({ stdin, stderr }: Console, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    stderr.write(`${question} [y/N] `)
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
    return false
  } finally {
    lines.close()
  }
}
