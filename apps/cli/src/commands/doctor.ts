import { LoaderError } from '@loader/session-core'
import { sessionsDirectory } from '@loader/session-fs'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import { configChecks } from '../doctor/config-files.ts'
import { examineSessions } from '../doctor/examine-sessions.ts'
import { machineChecks } from '../doctor/machine.ts'
import { extensionChecks } from '../doctor/extensions.ts'
import { mcpChecks } from '../doctor/mcp.ts'
import { modelChecks } from '../doctor/models.ts'
import { projectChecks } from '../doctor/kept-projects.ts'
import { offeredChecks } from '../doctor/offered-tools.ts'
import { placeChecks } from '../doctor/place-of-sessions.ts'
import { wallsCheck } from '../doctor/walls.ts'
import { type Places, placesOf } from '../places/places.ts'
import type { DoctorCheck, DoctorOutput, DoctorSession } from '../schemas/doctor.ts'
import { paintFor } from '../screen/paint.ts'
import { allRows } from '../sessions/find-session.ts'
import { loadSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { doctorLines, sessionsCheck } from '../views/doctor-lines.ts'
import { type Asked, storeAddress } from '../sessions/asked-store.ts'
import { databaseOf, filesOf } from '../sessions/store-of.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'

/** Checks this machine, the settings, and every session. Repairing only makes copies. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { environment } = console
  const {
    sessions = [],
    unlisted,
    database,
  } = await examineAll({ given, console, places }, given.has('repair') ? 'copies' : 'nothing')
  const checks = [
    ...(await machineChecks(environment)),
    await wallsCheck(places, environment),
    ...offeredChecks(places, environment),
    ...configChecks(places, environment),
    ...mcpChecks(places, console),
    ...extensionChecks(places, console),
    ...(await modelChecks(console, places)),
    ...(unlisted === undefined ? [] : [unlisted]),
    ...(database === undefined
      ? []
      : [{ name: 'database', state: 'ok', message: `sessions are in ${database}` } as const]),
    ...keptChecks(places, console),
  ]
  const output: DoctorOutput = {
    checks,
    sessions,
    damaged: sessions.filter(({ intact }) => !intact).length,
  }
  if (given.has('json')) printJson(console, output)
  else printLines(console, doctorLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  if (output.damaged > 0) return 'damaged'
  return checks.some(({ state }) => state === 'failure') ? 'failure' : 'ok'
}

/** Reports what is stored about this project and others, and where. */
function keptChecks(places: Places, { environment }: Console): DoctorCheck[] {
  try {
    const { folders } = places.project()
    const directory = sessionsSetting(places) === 'project' ? sessionsDirectory(places) : folders.sessions
    return [...placeChecks(directory, folders), ...projectChecks(environment)]
  } catch (error) {
    if (LoaderError.is(error)) return [{ name: 'store', state: 'failure', message: error.message }]
    throw error
  }
}

/** Invalid settings are reported by another check. */
function sessionsSetting(places: Places): Settings['sessions'] {
  try {
    return loadSettings(places).settings.sessions
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

interface Examined {
  readonly sessions?: readonly DoctorSession[]
  /** Why sessions could not be listed; the other results are reported anyway. */
  readonly unlisted?: DoctorCheck
  /** The database that keeps them, once it has answered. */
  readonly database?: string
}

async function examineAll(asked: Asked & { readonly places: Places }, repair: 'copies' | 'nothing'): Promise<Examined> {
  try {
    const address = await storeAddress(asked)
    const store = address === undefined ? filesOf(asked.places) : await databaseOf(address, asked.places)
    const sessions = await examineSessions(store, await allRows(store, { check: true }), repair)
    return { sessions, ...(address !== undefined && { database: address.shown }) }
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return { unlisted: { name: sessionsCheck, state: 'failure', message: error.message } }
  }
}
