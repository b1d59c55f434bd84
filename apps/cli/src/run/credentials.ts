import { join } from 'node:path'
import * as z from 'zod'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { readJsonText } from '../settings/json-text.ts'
import type { Settings } from '../settings/settings.ts'
import { textOfFile } from '../settings/text-of-file.ts'

/** Keys of providers, by their names. */
export function credentialFile(places: Places): string {
  return join(places.config, 'credentials.json')
}

/** All keys that the command itself could use. No tool shows any of them, whichever model is at work. */
export function credentialsOf(
  { providers = {} }: Settings,
  { environment }: Pick<Console, 'environment'>,
  file: string,
): readonly string[] {
  const inVariables = Object.values(providers).flatMap(({ apiKeyVariable = '' }) => environment[apiKeyVariable] ?? [])
  return [...inVariables, ...keysIn(textOfFile(file) ?? '')]
}

/** What cannot be read is reported where a key is needed. */
function keysIn(text: string): readonly string[] {
  const json = readJsonText(text)
  const keys = json.ok ? z.record(z.string(), z.unknown()).safeParse(json.value) : undefined
  return Object.values(keys?.data ?? {}).filter((key) => typeof key === 'string')
}
