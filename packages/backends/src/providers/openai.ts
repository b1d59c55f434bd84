import {
  type Backend,
  JsonObject,
  type Message,
  type ModelCapabilities,
  type Part,
  type ThinkingLevel,
} from '@loader/session-core'
import type { ProviderOptions } from '../ai-sdk/call-options.ts'
import { languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import { ownThoughts } from '../ai-sdk/own-thoughts.ts'
import { type ConnectionOptions, connectionTo, type OpenConnection, placeOf } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import type { Transport } from '../http/transport.ts'
import { cannotThink } from '../model/cannot-think.ts'
import { capabilitiesOf } from '../model/capabilities.ts'
import { latest } from '../platform/latest.ts'
import { once } from '../platform/once.ts'
import { addressOf } from './address.ts'
import { cacheKey } from './cache-key.ts'
import { knownProvider } from '../model/known-providers.ts'
import { loadPeer } from './load-peer.ts'
import { requireKey } from './require-key.ts'

export interface OpenAIOptions extends ConnectionOptions {
  readonly model: string
  /** The API to use. Only `responses`, the default, keeps reasoning between calls. */
  readonly api?: 'responses' | 'chat'
}

const packageName = '@ai-sdk/openai'

/** The smallest window of all current models. The server does not report it. */
const window = 128_000

/** The models of OpenAI, through `@ai-sdk/openai`. */
export function openai(options: OpenAIOptions): Backend {
  return openaiBackend('openai', options)
}

/** The models of OpenAI on Azure. The name of a model is that of its deployment. */
export function azure(options: OpenAIOptions): Backend {
  return openaiBackend('azure', options)
}

function openaiBackend(host: 'openai' | 'azure', options: OpenAIOptions): Backend {
  const { model, api = 'responses', capabilities } = options
  const place = placeOf(host, options)
  const { id } = place
  const connection = connectionTo(place, options)
  const baseURL = addressOf(host, options, connection.variables)
  const load = () => loadPeer(packageName, () => import('@ai-sdk/openai'), id)
  const makeModel = once(async () => {
    const { createOpenAI } = await load()
    return latest(({ transport, key, failing }: OpenConnection) => {
      const headers = options.headers && { headers: { ...options.headers } }
      const apiKey = requireKey(key, failing)
      const fetch = asFetch(host === 'azure' ? withKeyHeader(transport, apiKey) : transport)
      const made = createOpenAI({ baseURL, apiKey, fetch, ...headers })
      return api === 'chat' ? made.chat(model) : made.responses(model)
    })
  })
  return languageModelBackend({
    id,
    cannotThink: cannotThink('openai', model),
    alwaysThinks: /^(o\d|grok-(?!.*non-reasoning))/.test(model),
    providerOptions: (request) => {
      const own = providerOptionsOf(options, cacheKey(request, baseURL))
      return withThinking(own, options, request.thinking)
    },
    ...(api === 'chat' && { filesOfResults: 'from the user' }),
    ...(api === 'responses' && { prepare: (message) => ownThoughts(message, isKeptBy(providerOptionsOf(options))) }),
    async open() {
      const modelOver = await makeModel()
      const opened = await connection.open()
      return { model: modelOver(opened), failing: opened.failing }
    },
    async describe() {
      await load()
      const contextWindow = options.contextWindow ?? window
      const notes = options.contextWindow === undefined ? [`a window of ${window} tokens is assumed`] : []
      return capabilitiesOf({ id, nativeTools: true, contextWindow, notes, ...takes(model, api) }, capabilities)
    },
  })
}

/**
 * Every current model sees images, and reads PDF files through the responses API. The server does not tell; these are the
 * older ones that do not.
 */
function takes(model: string, api: 'responses' | 'chat'): Pick<ModelCapabilities, 'images' | 'documents'> {
  const images = !/^(?:gpt-3\.5|gpt-4(?:-\d{4})?$|gpt-4-32k|o1-mini|o1-preview|o3-mini|gpt-oss)/.test(model)
  return { images, documents: images && api === 'responses' }
}

/** The session holds the history, so the server must not store one: it would expire. */
function providerOptionsOf(
  { providerOptions = {}, provider = 'openai' }: OpenAIOptions,
  ofRequest: JsonObject = {},
): ProviderOptions {
  const { requestOptions = {} } = knownProvider(provider) ?? {}
  return { ...providerOptions, openai: { store: false, ...ofRequest, ...requestOptions, ...providerOptions['openai'] } }
}

/** Azure takes its keys under a name of its own; `authorization` is for tokens of its directory. */
function withKeyHeader(transport: Transport, key: string): Transport {
  return (url, request) => {
    const { authorization: _bearer, ...headers } = request?.headers ?? {}
    return transport(url, { ...request, headers: { ...headers, 'api-key': key } })
  }
}

/**
 * What goes with a level of thinking: a summary, which is all that is told of thoughts, and for models of other names
 * (xAI's, deployments on Azure) that they think at all, without which the package drops the level.
 */
function withThinking(
  options: ProviderOptions,
  { api, model }: OpenAIOptions,
  thinking: ThinkingLevel | undefined,
): ProviderOptions {
  if (api === 'chat' || thinking === undefined) return options
  const reasoningSummary = thinking === 'off' ? null : 'auto'
  const unknown = /^(gpt-|o\d|codex)/.test(model) ? {} : { forceReasoning: true, systemMessageMode: 'system' }
  return { ...options, openai: { reasoningSummary, ...unknown, ...options['openai'] } }
}

/** Reasoning is sent back encrypted (several parts can share one ciphertext), or by its id if the server stores it. */
function isKeptBy({ openai: options }: ProviderOptions): (part: Part, message: Message) => boolean {
  return (part, { content }) => {
    const { itemId, sealed } = itemOf(part)
    if (itemId === undefined) return sealed
    const isSealed = content.some((other) => itemOf(other).itemId === itemId && itemOf(other).sealed)
    return isSealed || options?.['store'] !== false
  }
}

function itemOf(part: Part): { readonly itemId: string | undefined; readonly sealed: boolean } {
  const own = part.type === 'reasoning' ? part.providerMetadata?.['openai'] : undefined
  const { itemId, reasoningEncryptedContent: sealed } = JsonObject.safeParse(own).data ?? {}
  return { itemId: typeof itemId === 'string' ? itemId : undefined, sealed: typeof sealed === 'string' }
}
