import type { Variables } from '../platform/variables.ts'
import { keyInFile } from './credential-file.ts'

export interface KeyPlaces {
  /** The name of the provider in the credential file. */
  readonly provider: string
  /** The key itself, if the caller passes one. */
  readonly apiKey: string | undefined
  /** The variable that holds the key. */
  readonly variable: string
  readonly variables: Variables
  readonly credentialFile: string | undefined
}

/** Looks for a key: from the caller, in the environment, then in the file. Not cached, because keys change. */
export async function findKey(places: KeyPlaces): Promise<string | undefined> {
  const { provider, apiKey, variable, variables, credentialFile } = places
  const given = apiKey ?? variables[variable]?.trim()
  if (given) return given
  return credentialFile === undefined ? undefined : keyInFile(credentialFile, provider)
}

/** `GROQ_API_KEY` for `groq`. */
export function keyVariable(provider: string): string {
  return `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`
}

/** What to do when there is no key, or a wrong one. */
export function keyAdvice({ provider, variable, credentialFile }: KeyPlaces): string {
  const file = credentialFile === undefined ? '' : `, or write it into ${credentialFile} as "${provider}"`
  return `Check the key: set ${variable}${file}.`
}
