import { JsonObject } from '@loader/session-core'
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'

type Holder = { readonly providerMetadata?: JsonObject }

/** What a provider says beyond the words, to be kept as it came. What JSON cannot hold has no place in a recording. */
export function metadataOf(value: unknown): Holder {
  if (value === undefined) return {}
  const metadata = JsonObject.safeParse(value).data
  const says = metadata !== undefined && Object.values(metadata).some((part) => JSON.stringify(part) !== '{}')
  return says ? { providerMetadata: metadata } : {}
}

/** The same in the form that the AI SDK wants: an object for each provider. */
export function toModelMetadata({ providerMetadata = {} }: { readonly providerMetadata?: JsonObject | undefined }): {
  providerMetadata?: SharedV4ProviderMetadata
} {
  const named = Object.entries(providerMetadata).flatMap(([name, value]) => {
    const object = typeof value === 'object' && !Array.isArray(value) ? JsonObject.safeParse(value).data : undefined
    return object === undefined ? [] : [[name, { ...object }] as const]
  })
  return named.length === 0 ? {} : { providerMetadata: Object.fromEntries(named) }
}
