import { linkToSession } from '@loader/web/server'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printLines } from '../console/print.ts'
import { placesOfSession } from '../places/places.ts'
import { requireSession } from '../sessions/find-session.ts'
import { storeOf } from '../sessions/store-of.ts'
import { loopback, portOf, tokenOf, urlOf, usualPort } from '../web/address-options.ts'

/** Prints an address that shows one session, read-only, at a server with the same token. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const token = tokenOf(given, console)
  if (token === undefined) {
    throw new UsageError(
      'A link is made of a token of your own, which the server has as well: set LOADER_WEB_TOKEN for both, or --token-file. ' +
        'Of a server that made its own token, the page makes links.',
      'web link',
    )
  }
  const places = placesOfSession(given, console, given.words[0])
  const { id } = await requireSession(await storeOf({ given, console, places }), given.words[0])
  const port = portOf(given) ?? usualPort
  const address = urlOf(given)?.href ?? `http://${given.value('host') ?? loopback}:${port}/`
  printLines(console, [`${address}${linkToSession(token, id)}`])
  return 'ok'
}
