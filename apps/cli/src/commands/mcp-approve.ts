import { asksForMore, McpServer, shownUrl } from '@loader/mcp/config'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { tell } from '../keys/tell.ts'
import { approve, disapprove, granted, grantsIn } from '../mcp/approvals.ts'
import { serversAsWritten } from '../mcp/servers-of-run.ts'
import { placesOf } from '../places/places.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** Approves a server of the project as it is now, and what it may have; a change of it ends that. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const [name = ''] = given.words
  if (given.has('revoke')) {
    if (!disapprove(name, places)) throw new UsageError(`${JSON.stringify(name)} was not approved.`, 'mcp approve')
    tell(console, [`${name} is not approved any more.`])
    return 'ok'
  }
  const loaded = loadSettings(places)
  const named = serversAsWritten({ places, loaded, files: [] }).find((one) => one.name === name)
  if (named === undefined || !named.ofProject) {
    const why = named === undefined ? 'There is no such server' : 'It is your own, and needs no approval'
    throw new UsageError(`${why}: ${JSON.stringify(name)}. See: loader mcp list`, 'mcp approve')
  }
  const [writable, readOnly] = [given.values('writable'), given.values('read-only')]
  const reach = McpServer.shape.reach.parse(given.value('reach'))
  const more = {
    ...(reach && { reach }),
    ...(writable.length > 0 && { writable }),
    ...(readOnly.length > 0 && { readOnly }),
  }
  approve(name, named.server, more, places)
  const server = granted(named.server, grantsIn(places)[name]) ?? named.server
  const what = server.url === undefined ? [server.command, ...(server.args ?? [])].join(' ') : shownUrl(server.url)
  tell(console, [
    `${name} is approved for this project as it is now: ${what}`,
    `What it gets: ${asksForMore(server) ?? 'what trust in the project gives'}`,
    ...(loaded.trusted ? [] : ['It starts once the project is trusted: loader permissions trust']),
    `Take it back: loader mcp approve ${name} --revoke`,
  ])
  return 'ok'
}
