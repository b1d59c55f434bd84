import { readSession, type SessionRow, type SessionStore } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { allRows, findSession, requireSession } from '../sessions/find-session.ts'
import { paintFor } from '../screen/paint.ts'
import { placesOfSession } from '../places/places.ts'
import { printJson, printLines } from '../console/print.ts'
import { type StatusOutput, statusReading } from '@loader/readings'
import { defaultPermissionMode } from '@loader/workflow'
import { loadSettings } from '../settings/load-settings.ts'
import { statusLines } from '../views/status-lines.ts'
import { writerOf } from '../sessions/writer-of.ts'
import { storeOf } from '../sessions/store-of.ts'

/** Prints the model, the policy, the latest session of the project, and what is open in it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOfSession(given, console, given.words[0])
  const { settings, trusted } = loadSettings(places, { environment: console.environment })
  const store = await storeOf({ given, console, places })
  const rows = await allRows(store)
  const [wanted] = given.words
  const sound = rows.find(({ status }) => status !== 'damaged')
  const row = wanted === undefined ? await findSession(store, sound?.id) : await requireSession(store, wanted)
  const output: StatusOutput = {
    project: places.root,
    trusted,
    model: settings.model ?? null,
    permissionMode: settings.permissionMode ?? defaultPermissionMode,
    sessions: rows.length,
    damaged: rows.filter(({ status }) => status === 'damaged').map(({ id }) => id),
    session: row === undefined || (wanted === undefined && sound === undefined) ? null : await statusOf(store, row),
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  if (given.has('json')) printJson(console, output)
  else printLines(console, statusLines(output, options))
  return 'ok'
}

async function statusOf(store: SessionStore, { id }: SessionRow): Promise<NonNullable<StatusOutput['session']>> {
  const { state } = await readSession(store, id, { gaps: 'mark' })
  return statusReading(state, await writerOf(store, id))
}
