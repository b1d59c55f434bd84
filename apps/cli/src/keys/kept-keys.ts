import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import * as z from 'zod'
import type { Places } from '../places/places.ts'
import { readJsonFile } from '../settings/json-file.ts'
import { readJsonText } from '../settings/json-text.ts'
import { textOfFile } from '../settings/text-of-file.ts'
import { type Keyring, systemKeyring } from './keyring.ts'

/*
 * Keys lie in the keyring of the system, or in a file that only the user can read. A second file names the providers
 * whose keys are in the keyring: so the keyring is asked only for keys that it has, and a start without one is not
 * slower, nor interrupted by a question of the system.
 */

/** Where the user's own files are. */
export type Config = Pick<Places, 'config'>
/** The content of the file with keys. */
export const Keys = z.record(z.string(), z.string())
const Names = z.array(z.string())

/** The file with the keys of providers. */
export function credentialFile({ config }: Config): string {
  return join(config, 'credentials.json')
}

/** The file that names the providers whose keys are in the keyring. */
export function namesFile({ config }: Config): string {
  return join(config, 'keyring.json')
}

/** The providers whose keys are in the keyring. */
export function namesInKeyring(places: Config): readonly string[] {
  return readJsonFile(namesFile(places), Names) ?? []
}

/** The keys in the file, by provider. */
export function keysInFile(places: Config): Readonly<Record<string, string>> {
  const file = credentialFile(places)
  const text = textOfFile(file)
  if (text === undefined) return {}
  const json = readJsonText(text)
  const keys = json.ok ? Keys.safeParse(json.value).data : undefined
  if (keys !== undefined) return keys
  // The message must not quote the content: it is made of keys.
  throw new LoaderError('invalid_config', `${file} is not JSON of the form { "provider": "key" }. Correct it.`)
}

/** Finds the keys that are in the keyring. A key that was found is kept for the rest of the process. */
export function keptKeyIn(
  places: Config,
  keyringOf: () => Promise<Keyring | undefined> = systemKeyring,
): (provider: string) => Promise<string | undefined> {
  const found = new Map<string, string>()
  return async (provider) => {
    const known = found.get(provider)
    if (known !== undefined || !namesInKeyring(places).includes(provider)) return known
    const key = await fromKeyring(provider, await keyringOf())
    if (key !== undefined) found.set(provider, key)
    return key
  }
}

async function fromKeyring(provider: string, keyring: Keyring | undefined): Promise<string | undefined> {
  if (keyring === undefined) throw unreadable(provider, 'its package is not installed here')
  return keyring.get(provider).catch((error: unknown) => {
    throw unreadable(provider, error instanceof Error ? error.message : String(error))
  })
}

/** The error for a key that is in a keyring which cannot be read. */
export function unreadable(provider: string, why: string): LoaderError {
  return new LoaderError(
    'invalid_config',
    `The key of ${provider} is in the keyring of the system, which cannot be read: ${why}. ` +
      `To keep it in a file instead: loader login ${provider} --file`,
  )
}
