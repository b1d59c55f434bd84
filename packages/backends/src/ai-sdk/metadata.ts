import { JsonObject } from '@loader/session-core'
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'

type Holder = { readonly providerMetadata?: JsonObject }

/** The metadata of a provider, kept unchanged. Values that JSON cannot hold are left out of the history. */
export function metadataOf(value: unknown): Holder {
  if (value === undefined) return {}
  const metadata = JsonObject.safeParse(value).data
  const says = metadata !== undefined && Object.values(metadata).some((part) => JSON.stringify(part) !== '{}')
  return says ? { providerMetadata: metadata } : {}
}

/** The metadata in the AI SDK's form: an object for each provider. */
export function toModelMetadata({ providerMetadata = {} }: { readonly providerMetadata?: JsonObject | undefined }): {
  providerMetadata?: SharedV4ProviderMetadata
} {
  const named = Object.entries(providerMetadata).flatMap(([name, value]) => {
    const object = typeof value === 'object' && !Array.isArray(value) ? JsonObject.safeParse(value).data : undefined
    return object === undefined ? [] : [[name, { ...object }] as const]
  })
  return named.length === 0 ? {} : { providerMetadata: Object.fromEntries(named) }
}
