import { LoaderError } from '@loader/session-core'
import { serveWeb, type WebOptions, type WebServer } from '@loader/web/server'
import type { Program } from '../arguments/command.ts'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printLines } from '../console/print.ts'
import { type Places, placesOfSession } from '../places/places.ts'
import { credentialsOf } from '../run/credentials.ts'
import { printNotes } from '../screen/notes.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import { requireSession } from '../sessions/find-session.ts'
import { storeOf } from '../sessions/store-of.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { pageFolder } from '../places/page-folder.ts'
import { loopback, portOf, tokenOf, urlOf, usualPort } from '../web/address-options.ts'
import { givenForRuns, openDesk } from '../web/open-desk.ts'
import { servedSessions } from '../web/served-sessions.ts'
import { hasScreen, openInBrowser } from '../web/show-address.ts'

/** Serves the page until it is interrupted. */
export async function run(given: Given, console: Console, program: Program): Promise<ExitCode> {
  const wanted = given.words[0]
  const places = placesOfSession(given, console, wanted)
  const address = await storeAddress({ given, console, places })
  const session =
    wanted === undefined ? undefined : await requireSession(await storeOf({ given, console, places }), wanted)
  const { settings } = loadSettings(places, { environment: console.environment })
  const secrets = await credentialsOf(settings, { environment: console.environment }, places)
  const readOnly = given.has('read-only')
  const served = { address, places, console, given: givenForRuns(given, program) }
  await using desk = await openDesk(served, (error) => reported(error, console))
  const server = await started(given, console, {
    places,
    sessions: servedSessions(served, { standings: desk.standings, secrets }),
    store: address?.shown ?? places.project().folders.sessions,
    readOnly,
    fleet: desk.hasWorkers,
    acting: desk.acting,
  })
  const shown = session === undefined ? server.address : `${server.address}&session=${encodeURIComponent(session.id)}`
  printLines(console, [shown])
  const what = readOnly ? 'It shows, and changes nothing.' : 'Whoever has this address can act as you.'
  printNotes(console, [`${what} Ctrl-C ends it.`])
  if (given.has('open')) opened(shown, console)
  try {
    await interrupted()
  } finally {
    await server.close()
  }
  return 'ok'
}

type Served = Pick<WebOptions, 'sessions' | 'store' | 'readOnly' | 'fleet' | 'acting'> & { readonly places: Places }

async function started(given: Given, console: Console, { places, ...served }: Served): Promise<WebServer> {
  const host = given.value('host') ?? loopback
  const wanted = portOf(given)
  const token = tokenOf(given, console)
  const url = urlOf(given)
  const serving = (port: number) =>
    serveWeb({
      ...served,
      pageFolder: pageFolder(),
      host,
      port,
      version: console.version,
      project: places.root,
      report: (error) => reported(error, console),
      ...(url !== undefined && { url }),
      ...(token !== undefined && { token }),
    })
  try {
    return await serving(wanted ?? usualPort)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE' && wanted === undefined) return serving(0)
    throw refusedBySystem(error, code, host, wanted)
  }
}

function reported(error: unknown, console: Console): void {
  printNotes(console, [`A request failed: ${errorText(error)}`])
}

function refusedBySystem(error: unknown, code: unknown, host: string, port: number | undefined): unknown {
  const because = { cause: error }
  switch (code) {
    case 'EADDRINUSE':
      return new LoaderError(
        'unsupported',
        `Port ${port} is taken by another program. Any that is free: --port 0`,
        because,
      )
    case 'EACCES':
      return new LoaderError('unsupported', `This user may not listen at port ${port}. Take one above 1023.`, because)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new LoaderError('unsupported', `${host} is no address of this machine.`, because)
    default:
      return error
  }
}

function opened(address: string, console: Console): void {
  if (hasScreen(console)) openInBrowser(address, console)
  else printNotes(console, ['There is no screen here to open it on.'])
}

/** Ctrl-C is how a server ends, and no failure. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const ended = () => {
      process.off('SIGINT', ended)
      process.off('SIGTERM', ended)
      resolve()
    }
    process.on('SIGINT', ended)
    process.on('SIGTERM', ended)
  })
}
