import { LoaderError } from '@loader/session-core'
import type { ConnectionOptions } from '../connection/connection.ts'
import { ollamaOrigin } from '../discover/ollama-origin.ts'
import type { Variables } from '../platform/variables.ts'
import { firstSet, knownProvider, type ProviderApi } from '../model/known-providers.ts'

/** The address of a provider: from the caller, the environment, or the table. */
export function addressOf(
  api: ProviderApi,
  { provider = api, baseUrl }: Pick<ConnectionOptions, 'provider' | 'baseUrl'>,
  variables: Variables,
): string {
  // A name of the caller's choice stands for the usual provider of its interface.
  const known = knownProvider(provider) ?? knownProvider(api)
  if (api === 'ollama') return ollamaOrigin(variables, baseUrl ?? firstSet(known?.addressVariables ?? [], variables))
  const address = baseUrl ?? firstSet(known?.addressVariables ?? [], variables) ?? known?.baseUrl
  if (address === undefined) throw noAddress(provider, known?.addressVariables ?? [])
  return withVersion(api, address.replace(/\/+$/, ''))
}

/** The clients of some providers append the version to the address themselves. */
function withVersion(api: ProviderApi, address: string): string {
  switch (api) {
    case 'anthropic':
      return address.endsWith('/v1') ? address : `${address}/v1`
    case 'google':
      return /\/v1(alpha|beta)?$/.test(address) ? address : `${address}/v1beta`
    case 'azure':
      return azureAddress(address)
    default:
      return address
  }
}

/** Azure is named by its resource, or by the endpoint that the portal shows. */
function azureAddress(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}.openai.azure.com`
  if (address.endsWith('/v1')) return address
  return address.endsWith('/openai') ? `${address}/v1` : `${address}/openai/v1`
}

/** The error shows the settings that say where a provider is. */
function noAddress(provider: string, variables: readonly string[]): LoaderError {
  const where = variables.length === 0 ? '' : `Set ${variables.join(' or ')}, or pass`
  return new LoaderError(
    'invalid_config',
    `It is not known where ${provider} is. ${where === '' ? 'Pass' : where} its baseUrl, such as https://host/v1.`,
  )
}
