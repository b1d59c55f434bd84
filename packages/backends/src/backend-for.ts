import { type Backend, LoaderError } from '@loader/session-core'
import type { ConnectionOptions } from './connection/connection.ts'
import type { BackendOptions } from './connection/provider-settings.ts'
import { suggesting } from './lists/suggesting.ts'
import { parseModelName } from './model/model-name.ts'
import { lazyBackend } from './platform/lazy-backend.ts'
import { systemVariables } from './platform/variables.ts'
import { addressOf } from './providers/address.ts'
import { knownProvider, knownProviders, type ProviderApi } from './model/known-providers.ts'
import { withPrices } from './prices/with-prices.ts'

/**
 * The backend for a model by its name, such as `ollama/qwen3:8b`. Nothing is requested or loaded before it is used.
 *
 * Known are the providers of `knownProviders`, and `openai-compatible` with a `baseUrl`.
 */
export function backendFor(name: string, options: BackendOptions = {}): Backend {
  const { prices = {}, providers = {}, now } = options
  const { provider } = parseModelName(name)
  const { api, baseUrl = options.baseUrl } = Object.hasOwn(providers, provider) ? (providers[provider] ?? {}) : {}
  const place = { ...(api !== undefined && { api }), ...(baseUrl !== undefined && { baseUrl }) }
  return withPrices(unpricedBackend(name, options), { prices, ...place, ...(now && { now }) })
}

function unpricedBackend(name: string, options: BackendOptions): Backend {
  const { provider, model } = parseModelName(name)
  const { providers = {}, settingsFile, prices: _prices, ...connection } = options
  const named = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  const { api, ...settings } = named ?? { api: apiOf(provider) }
  if (api === undefined) throw unknownProvider(name, provider, { others: Object.keys(providers), settingsFile })
  const all = { ...connection, ...settings, model, provider, id: `${provider}/${model}` }
  // Bedrock and Vertex have an address for each region, which their packages know.
  const needsAddress = api !== 'bedrock' && api !== 'vertex'
  const baseUrl = needsAddress ? addressOf(api, all, all.variables ?? systemVariables()) : ''
  const backend = lazyBackend(all.id, () => made(api, { ...all, ...(needsAddress && { baseUrl }) }))
  return suggesting(backend, options)
}

/** Only the code of this interface is loaded. */
async function made(
  api: ProviderApi,
  options: ConnectionOptions & Pick<BackendOptions, 'promptCache'> & { readonly model: string },
): Promise<Backend> {
  const { baseUrl = '' } = options
  switch (api) {
    case 'ollama':
      return (await import('./ollama/ollama.ts')).ollama(options)
    case 'openai':
      return (await import('./providers/openai.ts')).openai(options)
    case 'azure':
      return (await import('./providers/openai.ts')).azure(options)
    case 'anthropic':
      return (await import('./providers/anthropic.ts')).anthropic(options)
    case 'google':
      return (await import('./providers/google.ts')).google(options)
    case 'mistral':
      return (await import('./providers/mistral.ts')).mistral(options)
    case 'bedrock':
      return (await import('./providers/bedrock.ts')).bedrock(options)
    case 'vertex':
      return (await import('./providers/vertex.ts')).vertex(options)
    case 'openai-compatible':
      return (await import('./providers/openai-compatible.ts')).openaiCompatible({ ...options, baseUrl })
    default:
      return api satisfies never
  }
}

function apiOf(provider: string): ProviderApi | undefined {
  return provider === 'openai-compatible' ? provider : knownProvider(provider)?.api
}

interface Elsewhere {
  readonly others: readonly string[]
  readonly settingsFile: string | undefined
}

/** The error shows the settings that make the provider known. */
function unknownProvider(name: string, provider: string, { others, settingsFile }: Elsewhere): LoaderError {
  const known = [...new Set([...knownProviders.map((one) => one.name), 'openai-compatible', ...others])].join(', ')
  const settings = { providers: { [provider]: { api: 'openai-compatible', baseUrl: 'https://host/v1' } } }
  const where = settingsFile === undefined ? 'pass' : `write into ${settingsFile}:`
  return new LoaderError(
    'invalid_config',
    `There is no provider ${JSON.stringify(provider)} for the model ${name}. Known are ${known}. ` +
      `To make it known, ${where} ${JSON.stringify(settings)}`,
  )
}
