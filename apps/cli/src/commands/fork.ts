import { Session } from '@loader/session-core'
import { type FileSessionStore, systemEnvironment } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import type { ForkOutput } from '../schemas/fork.ts'
import { storeOf } from '../sessions/chosen-session.ts'
import { requireSession } from '../sessions/find-session.ts'
import { commandOwner } from '../sessions/owner.ts'
import { titleGiven } from '../sessions/title-given.ts'

/** Copies a session up to a point. The session itself stays as it is, also while somebody writes it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const store = storeOf(placesOf(given, console))
  const title = titleGiven(given)
  const row = await requireSession(store, given.words[0])
  const { id, from } = await store.fork(row.id, wholeNumber(given, 'at'))
  if (title !== undefined) await name(store, id, title)
  const output: ForkOutput = { id, title: title ?? null, from }
  if (given.has('json')) printJson(console, output)
  else printLines(console, [`Copied ${from.id} up to event ${from.seq} as ${id}.`, `Go on with: loader -r ${id}`])
  return 'ok'
}

async function name(store: FileSessionStore, id: string, title: string): Promise<void> {
  await using session = await Session.load(store, id, { environment: systemEnvironment(), owner: commandOwner })
  await session.append({ type: 'session.titled', title, by: 'user' })
}
