import { type Backend, JsonObject, type Message, type Part } from '@loader/session-core'
import type { ProviderOptions } from '../ai-sdk/call-options.ts'
import { languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import { ownThoughts } from '../ai-sdk/own-thoughts.ts'
import { type ConnectionOptions, connectionTo, type OpenConnection } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import { capabilitiesOf } from '../model/capabilities.ts'
import { latest } from '../platform/latest.ts'
import { once } from '../platform/once.ts'
import { loadPeer } from './load-peer.ts'
import { requireKey } from './require-key.ts'

export interface OpenAIOptions extends ConnectionOptions {
  readonly model: string
  /** The API to use. Only `responses`, the default, keeps reasoning between calls. */
  readonly api?: 'responses' | 'chat'
}

const packageName = '@ai-sdk/openai'
const publicAddress = 'https://api.openai.com/v1'

/** The smallest window of all current models. The server does not report it. */
const window = 128_000

/** The models of OpenAI, through `@ai-sdk/openai`. */
export function openai(options: OpenAIOptions): Backend {
  const { model, id = `openai/${model}`, api = 'responses', capabilities } = options
  const connection = connectionTo({ id, provider: 'openai', keyVariable: 'OPENAI_API_KEY' }, options)
  const load = () => loadPeer(packageName, () => import('@ai-sdk/openai'), id)
  const makeModel = once(async () => {
    const { createOpenAI } = await load()
    return latest(({ transport, key, failing }: OpenConnection) => {
      const baseURL = options.baseUrl ?? connection.variables['OPENAI_BASE_URL'] ?? publicAddress
      const headers = options.headers && { headers: { ...options.headers } }
      const apiKey = requireKey(key, failing)
      const made = createOpenAI({ baseURL, apiKey, fetch: asFetch(transport), ...headers })
      return api === 'chat' ? made.chat(model) : made.responses(model)
    })
  })
  return languageModelBackend({
    id,
    providerOptions: () => providerOptionsOf(options),
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
      return capabilitiesOf({ id, nativeTools: true, contextWindow, notes }, capabilities)
    },
  })
}

/** The session holds the history, so the server must not store one: it would expire. */
function providerOptionsOf({ providerOptions = {} }: OpenAIOptions): ProviderOptions {
  return { ...providerOptions, openai: { store: false, ...providerOptions['openai'] } }
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
