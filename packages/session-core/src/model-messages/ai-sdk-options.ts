import type { JsonObject } from '../words/json.ts'
import type { AiSdkOptions } from './ai-sdk-message.ts'
import type { Keeper } from './kept.ts'
import { copyOf, isPlainObject, objectOf, type PlainJson } from './plain-json.ts'

const keepers: readonly string[] = ['aiSdk', 'openaiChat'] satisfies Keeper[]

/** The metadata of a part, without the entries that this package stores there for itself. */
export function optionsOf({ providerMetadata }: { readonly providerMetadata?: JsonObject | undefined }): AiSdkOptions {
  if (providerMetadata === undefined) return {}
  const forProviders = Object.entries(providerMetadata).filter(([name]) => !keepers.includes(name))
  return asOptions(copyOf(Object.fromEntries(forProviders)))
}

/** In the form that the AI SDK accepts: an object for each provider. */
export function asOptions(value: PlainJson | undefined): AiSdkOptions {
  const named = Object.entries(objectOf(value)).flatMap(([name, options]) =>
    isPlainObject(options) ? [[name, options] as const] : [],
  )
  return named.length === 0 ? {} : { providerOptions: Object.fromEntries(named) }
}
