import { checkKey } from '@loader/backends'
import { LoaderError } from '@loader/session-core'
import { inText } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { keepKey, type KeyPlace } from '../keys/keep-key.ts'
import { systemKeyring } from '../keys/keyring.ts'
import { type NamedProvider, providerNamed } from '../keys/provider-named.ts'
import { readKey } from '../keys/read-key.ts'
import { placesOf } from '../places/places.ts'
import { connectionOf } from '../run/connection-of.ts'
import { printNotes } from '../screen/notes.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { tell } from '../keys/tell.ts'

/** Keeps the key of a provider, after the provider was asked whether it is good. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { environment } = console
  const { settings } = loadSettings(places, { environment })
  const provider = providerNamed(given, settings)
  requireKeyKind(provider)
  const key = await readKey(console, questionFor(provider))
  if (key === undefined) return 'interrupted'
  requireSense(key, provider)
  const check = await checkKey(provider.name, { ...connectionOf(settings, console, places), apiKey: key })
  if (check.state === 'refused') {
    // The advice of the message is to log in.
    const [refused = ''] = check.message.split('\n')
    printNotes(console, [`${refused}\nThe key was not kept. ${pageOf(provider)}`.trim()])
    return 'failure'
  }
  const keyring = given.has('file') ? undefined : await systemKeyring()
  const place = await keepKey(provider.name, key, places, keyring)
  tell(console, [
    `${check.state === 'good' ? `${provider.title} accepts the key` : `The key of ${provider.title} was not checked`}. It is ${shown(place)}.`,
    `Models: loader models ${provider.name}`,
  ])
  if (check.state === 'unknown') printNotes(console, [inText(check.message)])
  const set = provider.keyVariables.find((name) => environment[name]?.trim())
  if (set !== undefined && environment[set]?.trim() !== key) {
    printNotes(console, [`${set} is set, and its key goes before the one that is kept.`])
  }
  return 'ok'
}

function questionFor(provider: NamedProvider): string {
  return `${pageOf(provider)}${pageOf(provider) === '' ? '' : '\n'}Key for ${provider.title} (it is not shown): `
}

function pageOf({ keyPage }: NamedProvider): string {
  return keyPage === undefined ? '' : `Keys are made at ${keyPage}`
}

function shown(place: KeyPlace): string {
  return place.kind === 'keyring' ? 'in the keyring of the system' : `in ${place.file}, which only you can read`
}

/** Google Cloud signs in by itself. */
function requireKeyKind({ name }: NamedProvider): void {
  if (name !== 'vertex') return
  throw new LoaderError(
    'invalid_config',
    'Google Vertex AI signs in with: gcloud auth application-default login. Or set GOOGLE_VERTEX_API_KEY.',
  )
}

/** The message must not show what was typed. */
function requireSense(key: string, { title }: NamedProvider): void {
  if (key === '') throw new LoaderError('invalid_config', `No key came. Nothing was changed.`)
  // The value goes into a header.
  if (/^[\x21-\x7e]+$/.test(key)) return
  throw new LoaderError('invalid_config', `That is no key of ${title}: it has blanks or letters that no key has.`)
}
