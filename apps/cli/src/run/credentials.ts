import { knownProviders } from '@loader/backends'
import { LoaderError } from '@loader/session-core'
import * as z from 'zod'
import type { Console } from '../console/console.ts'
import { credentialFile, keptKeyIn, namesInKeyring } from '../keys/kept-keys.ts'
import type { Places } from '../places/places.ts'
import { readJsonText } from '../settings/json-text.ts'
import type { Settings } from '../settings/settings.ts'
import { textOfFile } from '../settings/text-of-file.ts'

/** Which keys of the keyring are wanted, and how they are found. */
interface FromKeyring {
  /** Providers whose keys are asked for; absent means all. A keyring may ask the user to unlock it. */
  readonly only?: readonly string[]
  readonly keptKey?: ReturnType<typeof keptKeyIn>
}

/**
 * Every key that the command could use, of every provider, whichever model is used: tools must not show any of them, nor
 * an export. Keys in the keyring are out of reach of commands; a run asks for those that it uses itself.
 */
export async function credentialsOf(
  { providers = {} }: Settings,
  { environment }: Pick<Console, 'environment'>,
  places: Pick<Places, 'config'>,
  { only, keptKey = keptKeyIn(places) }: FromKeyring = {},
): Promise<readonly string[]> {
  const own = Object.values(providers).flatMap(({ apiKeyVariable }) => apiKeyVariable ?? [])
  const names = knownProviders.flatMap(({ keyVariables, secretVariables = [] }) => [
    ...keyVariables,
    ...secretVariables,
  ])
  const inVariables = [...new Set([...own, ...names])].flatMap((name) => environment[name]?.trim() || [])
  const wanted = namesInKeyring(places).filter((name) => only === undefined || only.includes(name))
  return [
    ...inVariables,
    ...keysIn(textOfFile(credentialFile(places)) ?? ''),
    ...(await Promise.all(wanted.map((name) => keyOrNone(name, keptKey)))).flat(),
  ]
}

/** A keyring that cannot be read is reported where its key is needed. */
async function keyOrNone(name: string, keptKey: ReturnType<typeof keptKeyIn>): Promise<readonly string[]> {
  try {
    return [(await keptKey(name)) ?? []].flat()
  } catch (error) {
    if (LoaderError.is(error)) return []
    throw error
  }
}

/** Returns no keys for an unreadable file, which is reported where a key is needed. */
function keysIn(text: string): readonly string[] {
  const json = readJsonText(text)
  const keys = json.ok ? z.record(z.string(), z.unknown()).safeParse(json.value) : undefined
  return Object.values(keys?.data ?? {}).filter((key) => typeof key === 'string')
}
