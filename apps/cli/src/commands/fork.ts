import { Session, type SessionStore, withCapability } from '@loader/session-core'
import { systemEnvironment } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { requireSession } from '../sessions/find-session.ts'
import { commandOwner } from '../sessions/owner.ts'
import { placesOfSession } from '../places/places.ts'
import { printJson, printLines } from '../console/print.ts'
import type { ForkOutput } from '../schemas/fork.ts'
import { titleGiven } from '../sessions/title-given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { storeOf } from '../sessions/store-of.ts'

/** Copies a session up to an event. The original is not changed, and another process may be writing it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const store = await storeOf({ given, console, places: placesOfSession(given, console, given.words[0]) })
  const title = titleGiven(given)
  const row = await requireSession(store, given.words[0])
  const environment = systemEnvironment()
  const { id, from } = await withCapability(store, 'fork').fork(row.id, wholeNumber(given, 'at'), { environment })
  if (title !== undefined) await name(store, id, title)
  const output: ForkOutput = { id, title: title ?? null, from }
  if (given.has('json')) printJson(console, output)
  else printLines(console, [`Copied ${from.id} up to event ${from.seq} as ${id}.`, `Go on with: loader -r ${id}`])
  return 'ok'
}

async function name(store: SessionStore, id: string, title: string): Promise<void> {
  await using session = await Session.load(store, id, { environment: systemEnvironment(), owner: commandOwner })
  await session.append({ type: 'session.titled', title, by: 'user' })
}
