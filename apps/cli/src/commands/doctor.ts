import { LoaderError, type SessionStore } from '@loader/session-core'
import { sessionsDirectory } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import { configChecks } from '../doctor/config-files.ts'
import { examineSessions } from '../doctor/examine-sessions.ts'
import { machineChecks } from '../doctor/machine.ts'
import { placeChecks } from '../doctor/place-of-sessions.ts'
import { placesOf } from '../places/places.ts'
import type { DoctorCheck, DoctorOutput, DoctorSession } from '../schemas/doctor.ts'
import { paintFor } from '../screen/paint.ts'
import { allRows } from '../sessions/find-session.ts'
import { doctorLines, sessionsCheck } from '../views/doctor-lines.ts'
import { storeOf } from '../sessions/store-of.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'

/** Looks at this machine, the settings, and every session. Repairing makes copies, and nothing else. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { environment } = console
  const store = storeOf(places)
  const checks = [
    ...(await machineChecks(environment)),
    ...configChecks(places, environment),
    ...placeChecks(sessionsDirectory(places)),
  ]
  const { sessions = [], unlisted } = await examineAll(store, given.has('repair') ? 'copies' : 'nothing')
  const output: DoctorOutput = {
    checks: unlisted === undefined ? checks : [...checks, unlisted],
    sessions,
    damaged: sessions.filter(({ intact }) => !intact).length,
  }
  if (given.has('json')) printJson(console, output)
  else printLines(console, doctorLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  if (output.damaged > 0) return 'damaged'
  return unlisted === undefined ? 'ok' : 'failure'
}

interface Examined {
  readonly sessions?: readonly DoctorSession[]
  /** Why nobody can say which sessions there are; all else that was found is worth telling. */
  readonly unlisted?: DoctorCheck
}

async function examineAll(store: SessionStore, repair: 'copies' | 'nothing'): Promise<Examined> {
  try {
    return { sessions: await examineSessions(store, await allRows(store, { check: true }), repair) }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return { unlisted: { name: sessionsCheck, state: 'failure', message: error.message } }
  }
}
