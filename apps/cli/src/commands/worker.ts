import { randomBytes } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { Dispatch } from '@loader/session-postgres/dispatch'
import { inText } from '@loader/readings'
import type { Program } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import type { Console } from '../console/console.ts'
import { type ExitCode, exitNumber } from '../console/exit-codes.ts'
import { givenForMain } from '../fleet/given-for-main.ts'
import { requiredStore } from '../fleet/required-store.ts'
import { Worker } from '../fleet/worker.ts'
import { placesOf } from '../places/places.ts'
import { noModel } from '../run/no-model.ts'
import { codeOfCause } from '../run/run-exit.ts'
import { Interruption } from '../run/interruption.ts'
import { databaseStore } from '../sessions/database-store.ts'
import { loadSettings } from '../settings/load-settings.ts'

const usual = { concurrency: 1, graceSeconds: 25, leaseSeconds: 30 }

/** Works on sessions of a database until it is told to end. The second signal ends it at once. */
export async function run(given: Given, console: Console, program: Program): Promise<ExitCode> {
  const projects = projectsFolder(given, console)
  const concurrency = wholeNumber(given, 'concurrency') ?? usual.concurrency
  const graceMs = 1_000 * (wholeNumber(given, 'grace') ?? usual.graceSeconds)
  const leaseMs = 1_000 * (wholeNumber(given, 'lease') ?? usual.leaseSeconds)
  const address = await requiredStore(given, console)
  await requireModel(given, console)
  const store = databaseStore(address, { leaseMs })
  const say = (line: string) => void console.stdout.write(`${inText(line)}\n`)
  const name = given.value('name') ?? `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
  const dispatch = new Dispatch(store)
  const ports = { name, dispatch, store, address, projects, given: givenForMain(given, program.main), console, say }
  const about = {
    host: hostname(),
    pid: process.pid,
    version: console.version,
    concurrency,
    projects,
    since: new Date(),
  }
  const worker = new Worker(ports, { concurrency, graceMs, about })
  const interruption = new Interruption(console, (cause) => process.exit(exitNumber(codeOfCause(cause))))
  let told = 0
  interruption.onFirst((cause) => {
    told = performance.now()
    say(`ending: ${cause}`)
    worker.end()
  })
  try {
    await health(given, worker)
    say(`worker ${name} on ${address.shown}, projects in ${projects}`)
    const isAllBack = await worker.run()
    const took = `${((performance.now() - told) / 1_000).toFixed(1)} of ${graceMs / 1_000} s`
    say(
      isAllBack
        ? `ended: every session was given back, in ${took}`
        : 'ended: a session could not be given back; its lease will end',
    )
    return isAllBack ? 'ok' : 'failure'
  } finally {
    interruption.stop()
    await store.close()
  }
}

/** Else it would leave every session with the same words. */
async function requireModel(given: Given, console: Console): Promise<void> {
  const places = placesOf(given, console)
  const loaded = loadSettings(places, { flags: given.values('config'), environment: console.environment })
  if ((given.value('model') ?? loaded.settings.model) === undefined) throw await noModel(console, places)
}

/** Few workers have one. */
async function health(given: Given, worker: Worker): Promise<void> {
  const port = wholeNumber(given, 'health-port')
  if (port === undefined) return
  const { healthServer } = await import('../fleet/health-server.ts')
  await healthServer(() => worker.health, port, given.value('health-host') ?? '127.0.0.1')
}

function projectsFolder(given: Given, { folder }: Console): string {
  const written = given.value('projects')
  if (written === undefined) throw new UsageError('Say where the projects are: --projects FOLDER', 'worker')
  const path = resolve(folder, written)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(path)
  throw new UsageError(`--projects ${written}: there is no such folder.`, 'worker')
}
