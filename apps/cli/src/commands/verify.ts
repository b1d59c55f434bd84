import { LoaderError, type StoreCapabilities, withCapability } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOfSession } from '../places/places.ts'
import type { VerifiedSession, VerifyOutput } from '../schemas/verify.ts'
import { paintFor } from '../screen/paint.ts'
import { allRows, requireSession } from '../sessions/find-session.ts'
import { storeOf } from '../sessions/store-of.ts'
import { verifyLines } from '../views/verify-lines.ts'

/** Verifies every byte of one session or of all, without claiming or changing them. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const [wanted] = given.words
  const store = await storeOf({ given, console, places: placesOfSession(given, console, wanted) })
  const verifying = withCapability(store, 'verify')
  const rows = wanted === undefined ? await allRows(store, { check: true }) : [await requireSession(store, wanted)]
  const sessions: VerifiedSession[] = []
  for (const { id } of rows) sessions.push(await verified(verifying, id))
  const output: VerifyOutput = { sessions, damaged: sessions.filter(({ intact }) => !intact).length }
  if (given.has('json')) printJson(console, output)
  else printLines(console, verifyLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return output.damaged > 0 ? 'damaged' : 'ok'
}

async function verified(store: Pick<StoreCapabilities, 'verify'>, id: string): Promise<VerifiedSession> {
  try {
    const { intact, events, files, findings } = await store.verify(id)
    return { id, intact, events, files, findings, refused: null }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    // A session of a newer version is not damaged.
    const intact = error.code === 'format_newer'
    return { id, intact, events: null, files: [], findings: [], refused: error.message }
  }
}
