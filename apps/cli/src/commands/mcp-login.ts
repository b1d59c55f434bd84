import { spawn } from 'node:child_process'
import { logIn } from '@loader/mcp'
import { expandServer } from '@loader/mcp/config'
import { LoaderError } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { tell } from '../keys/tell.ts'
import { keptLogins, loginsFile } from '../mcp/kept-logins.ts'
import { serversOfRun } from '../mcp/servers-of-run.ts'
import { placesOf } from '../places/places.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** Logs in with a server in the browser, and keeps what it gives. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const [name = ''] = given.words
  const logins = keptLogins(places)
  if (given.has('forget')) {
    const had = logins.read(name) !== undefined
    if (had) logins.write(name, undefined)
    tell(console, [had ? `The login with ${name} is forgotten.` : `There was no login with ${name}.`])
    return 'ok'
  }
  const named = serversOfRun({ places, loaded: loadSettings(places), files: [] }).servers.find(
    (one) => one.name === name,
  )
  if (named?.server.url === undefined) {
    const why =
      named === undefined
        ? `There is no MCP server ${JSON.stringify(name)}`
        : `${name} is started here, and needs no login`
    throw new UsageError(`${why}. See: loader mcp list`, 'mcp login')
  }
  if (named.inert !== undefined) throw new UsageError(`${name} waits: ${named.inert}`, 'mcp login')
  const { server } = expandServer(named.server, console.environment)
  const stop = new AbortController()
  const onInterrupt = () => stop.abort()
  process.once('SIGINT', onInterrupt)
  try {
    const how = await logIn({
      name,
      server,
      logins,
      variables: console.environment,
      version: console.version,
      signal: stop.signal,
      open: async (address) => show(new URL(address), console),
    })
    tell(console, [
      how === 'not_needed'
        ? `${name} wants no login.`
        : `Logged in with ${name}. The login is in ${loginsFile(places)}, which only you can read.`,
    ])
    return 'ok'
  } catch (error) {
    if (stop.signal.aborted) return 'interrupted'
    const why = error instanceof Error ? error.message : String(error)
    throw new LoaderError('invalid_config', `Logging in with ${name} failed: ${why}`, { cause: error })
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

/** The address goes to the browser if there is one, and is shown in any case. */
function show(url: URL, console: Console): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`the server sends you to ${url.protocol}`)
  console.stderr.write(`Log in here:\n${url.href}\n`)
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = console.environment
  const program =
    BROWSER ?? (process.platform === 'darwin' ? 'open' : DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : undefined)
  if (program === undefined) return
  spawn(program, [url.href], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
