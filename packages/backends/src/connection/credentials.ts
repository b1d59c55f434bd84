import type { Variables } from '../platform/variables.ts'
import { knownProvider } from '../model/known-providers.ts'
import { keyInFile } from './credential-file.ts'

export interface KeyPlaces {
  /** The names of the provider where keys are kept, in the order in which they are tried. */
  readonly names: readonly string[]
  /** The key itself, if the caller passes one. */
  readonly apiKey: string | undefined
  /** The variables that can hold the key, in the order in which they are tried. */
  readonly keyVariables: readonly string[]
  readonly variables: Variables
  readonly credentialFile: string | undefined
  /** Asked last: a keyring, say. */
  readonly keptKey: KeptKey | undefined
  /** The command that keeps a key. */
  readonly loginCommand: string | undefined
}

/** The key of a provider where a program keeps its keys. */
export type KeptKey = (provider: string) => Promise<string | undefined>

/** Looks for a key: from the caller, in the environment, then where keys are kept. Not cached, because keys change. */
export async function findKey(places: KeyPlaces): Promise<string | undefined> {
  const { names, apiKey, keyVariables, variables, credentialFile, keptKey } = places
  const given = apiKey ?? keyVariables.map((name) => variables[name]?.trim()).find((key) => key)
  if (given) return given
  for (const name of names) {
    const kept = credentialFile === undefined ? undefined : await keyInFile(credentialFile, name)
    const key = kept ?? (await keptKey?.(name))
    if (key !== undefined) return key
  }
  return undefined
}

/** What to do when there is no key, or a wrong one. */
export function keyAdvice({ names, keyVariables, credentialFile, loginCommand }: KeyPlaces): string {
  const [provider = ''] = names
  const file = credentialFile === undefined ? '' : `, or write it into ${credentialFile} as "${provider}"`
  const ways = loginCommand === undefined ? `set ${keyVariables[0]}${file}` : `${loginCommand} ${provider}`
  const orSet = loginCommand === undefined ? '' : `, or set ${keyVariables[0]}`
  const page = knownProvider(provider)?.keyPage
  return `Check the key: ${ways}${orSet}.${page === undefined ? '' : ` Keys are made at ${page}`}`
}
