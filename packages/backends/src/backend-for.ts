import { type Backend, LoaderError } from '@loader/session-core'
import type { ConnectionOptions } from './connection/connection.ts'
import { serverKinds } from './discover/server-kinds.ts'
import { parseModelName } from './model/model-name.ts'
import { ollama } from './ollama/ollama.ts'
import { anthropic } from './providers/anthropic.ts'
import { google } from './providers/google.ts'
import { openai } from './providers/openai.ts'
import { openaiCompatible } from './providers/openai-compatible.ts'

/** A provider under a name of the caller's choice. */
export interface ProviderSettings extends ConnectionOptions {
  readonly api: 'ollama' | 'openai-compatible' | 'openai' | 'anthropic' | 'google'
  /** The variable with the key; by default `GROQ_API_KEY` for a provider called `groq`. */
  readonly apiKeyVariable?: string
}

export interface BackendOptions extends ConnectionOptions {
  /** Providers by name, next to those that are known: `{ groq: { api: 'openai-compatible', baseUrl: … } }`. */
  readonly providers?: { readonly [name: string]: ProviderSettings }
}

/**
 * The backend for a model by its name, such as `ollama/qwen3:8b`. Nothing is requested or loaded before it is used.
 *
 * Known are `ollama`, `openai`, `anthropic`, `google`, the local servers `llamacpp`, `lmstudio` and `vllm` at their
 * usual ports, and `openai-compatible` with a `baseUrl`.
 */
export function backendFor(name: string, options: BackendOptions = {}): Backend {
  const { provider, model } = parseModelName(name)
  const { providers = {}, ...connection } = options
  const named = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  const { api, ...settings } = named ?? { api: apiOf(provider) }
  const all = { ...connection, ...settings, model, id: `${provider}/${model}` }
  switch (api) {
    case 'ollama':
      return ollama(all)
    case 'openai':
      return openai(all)
    case 'anthropic':
      return anthropic(all)
    case 'google':
      return google(all)
    case 'openai-compatible':
      return openaiCompatible({ ...all, provider, baseUrl: all.baseUrl ?? usualAddress(provider) })
    case undefined:
      throw unknownProvider(name, provider, Object.keys(providers))
    default:
      return api satisfies never
  }
}

function apiOf(provider: string): ProviderSettings['api'] | undefined {
  switch (provider) {
    case 'ollama':
    case 'openai':
    case 'anthropic':
    case 'google':
    case 'openai-compatible':
      return provider
    default:
      return serverKinds.some(({ name }) => name === provider) ? 'openai-compatible' : undefined
  }
}

function usualAddress(provider: string): string {
  const kind = serverKinds.find(({ name }) => name === provider)
  if (kind) return `http://127.0.0.1:${kind.port}${kind.path}`
  throw new LoaderError(
    'invalid_config',
    `Nobody knows where ${provider} is. Pass its baseUrl, such as https://host/v1.`,
  )
}

function unknownProvider(name: string, provider: string, others: readonly string[]): LoaderError {
  const local = serverKinds.map((kind) => kind.name)
  const known = [...new Set([...local, 'openai', 'anthropic', 'google', 'openai-compatible', ...others])].join(', ')
  return new LoaderError(
    'invalid_config',
    `There is no provider ${JSON.stringify(provider)} for the model ${name}. Known are ${known}. Any other is made ` +
      `known by providers: { ${JSON.stringify(provider)}: { api: 'openai-compatible', baseUrl: 'https://…/v1' } }.`,
  )
}
