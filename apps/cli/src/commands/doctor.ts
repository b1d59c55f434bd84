import type { Given } from '../arguments/given.ts'
import { storeOf } from '../chosen-session.ts'
import { columnsOf, type Console } from '../console.ts'
import { configChecks } from '../doctor/config-files.ts'
import { examineSessions } from '../doctor/examine-sessions.ts'
import { machineChecks } from '../doctor/machine.ts'
import { placeChecks } from '../doctor/place-of-sessions.ts'
import type { ExitCode } from '../exit-codes.ts'
import { allRows } from '../find-session.ts'
import { paintFor } from '../paint.ts'
import { placesOf } from '../places.ts'
import { printJson, printLines } from '../print.ts'
import type { DoctorOutput } from '../schemas/doctor.ts'
import { doctorLines } from '../views/doctor-lines.ts'

/** Looks at this machine, the settings, and every session. Repairing makes copies, and nothing else. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { environment } = console
  const store = storeOf(places)
  const checks = [
    ...(await machineChecks(environment)),
    ...configChecks(places, environment),
    ...placeChecks(store.directory),
  ]
  const sessions = await examineSessions(
    store,
    await allRows(store, { check: true }),
    given.has('repair') ? 'copies' : 'nothing',
  )
  const output: DoctorOutput = { checks, sessions, damaged: sessions.filter(({ intact }) => !intact).length }
  if (given.has('json')) printJson(console, output)
  else printLines(console, doctorLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return output.damaged > 0 ? 'damaged' : 'ok'
}
