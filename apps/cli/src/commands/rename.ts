import { Session } from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import { UsageError } from '../arguments/usage-error.ts'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printNotes } from '../screen/notes.ts'
import { requireSession } from '../sessions/find-session.ts'
import { commandOwner } from '../sessions/owner.ts'
import { placesOfSession } from '../places/places.ts'
import { printLines } from '../console/print.ts'
import { inOneLine } from '@loader/readings'
import { storeOf } from '../sessions/store-of.ts'
import { freeSession } from '../sessions/take-over.ts'

/** Gives a session a title. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const [title = '', wanted] = given.words
  if (title.trim() === '') throw new UsageError('A title has to say something.', 'rename')
  const store = await storeOf({ given, console, places: placesOfSession(given, console, wanted) })
  const { id } = await requireSession(store, wanted)
  await freeSession(store, id, given, (note) => printNotes(console, [note]))
  await using session = await Session.load(store, id, { environment: systemEnvironment(), owner: commandOwner })
  await session.append({ type: 'session.titled', title: title.trim(), by: 'user' })
  printLines(console, [`Session ${id} is now called: ${inOneLine(title)}`])
  return 'ok'
}
