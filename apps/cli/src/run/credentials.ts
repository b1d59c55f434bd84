import { join } from 'node:path'
import * as z from 'zod'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { readJsonText } from '../settings/json-text.ts'
import type { Settings } from '../settings/settings.ts'
import { textOfFile } from '../settings/text-of-file.ts'

/** The file with the keys of providers. */
export function credentialFile(places: Places): string {
  return join(places.config, 'credentials.json')
}

/** Every key that the command could use. Tools must not show any of them, whichever model is used. */
export function credentialsOf(
  { providers = {} }: Settings,
  { environment }: Pick<Console, 'environment'>,
  file: string,
): readonly string[] {
  const inVariables = Object.values(providers).flatMap(({ apiKeyVariable = '' }) => environment[apiKeyVariable] ?? [])
  return [...inVariables, ...keysIn(textOfFile(file) ?? '')]
}

/** Returns no keys for an unreadable file, which is reported where a key is needed. */
function keysIn(text: string): readonly string[] {
  const json = readJsonText(text)
  const keys = json.ok ? z.record(z.string(), z.unknown()).safeParse(json.value) : undefined
  return Object.values(keys?.data ?? {}).filter((key) => typeof key === 'string')
}
