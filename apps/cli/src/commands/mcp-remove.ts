import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { tell } from '../keys/tell.ts'
import { disapprove } from '../mcp/approvals.ts'
import { keptLogins } from '../mcp/kept-logins.ts'
import { fileOfServers, removeServer } from '../mcp/server-files.ts'
import { placesOf } from '../places/places.ts'

/** Takes a server out of a file, with its login and what it was granted. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const [name = ''] = given.words
  const whose = given.has('project') ? 'project' : 'user'
  const file = fileOfServers(whose, places)
  if (!removeServer(name, whose, places)) {
    throw new UsageError(`There is no server ${JSON.stringify(name)} in ${file}. See: loader mcp list`, 'mcp remove')
  }
  disapprove(name, places)
  const logins = keptLogins(places)
  const hadLogin = logins.read(name) !== undefined
  if (hadLogin) logins.write(name, undefined)
  tell(console, [`${name} was taken out of ${file}${hadLogin ? ', and its login is forgotten' : ''}.`])
  return 'ok'
}
