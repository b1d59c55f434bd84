import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { forgetKey } from '../keys/keep-key.ts'
import { providerNamed } from '../keys/provider-named.ts'
import { tell } from '../keys/tell.ts'
import { placesOf } from '../places/places.ts'
import { printNotes } from '../screen/notes.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** Removes the key of a provider from where `loader login` has put it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { environment } = console
  const { name, title, keyVariables } = providerNamed(given, loadSettings(places, { environment }).settings)
  const removed = await forgetKey(name, places)
  const from = removed.map((place) => (place.kind === 'keyring' ? 'the keyring of the system' : place.file))
  tell(console, [
    from.length === 0 ? `No key of ${title} was kept.` : `The key of ${title} was removed from ${from.join(' and ')}.`,
  ])
  const set = keyVariables.find((variable) => environment[variable]?.trim())
  if (set !== undefined) printNotes(console, [`${set} is still set, and its key is used.`])
  return 'ok'
}
