import type { Backend } from '@loader/session-core'
import type { ProviderOptions } from '../ai-sdk/call-options.ts'
import { languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import { ownThoughts } from '../ai-sdk/own-thoughts.ts'
import { type ConnectionOptions, connectionTo, type OpenConnection } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import { capabilitiesOf } from '../model/capabilities.ts'
import { latest } from '../platform/latest.ts'
import { once } from '../platform/once.ts'
import { loadPeer } from './load-peer.ts'
import { isSigned, withPossibleThinking } from './possible-thinking.ts'
import { requireKey } from './require-key.ts'

export interface AnthropicOptions extends ConnectionOptions {
  readonly model: string
  /** `automatic` lets the server cache prompts, which makes long sessions affordable. */
  readonly promptCache?: 'automatic' | 'off'
}

const packageName = '@ai-sdk/anthropic'
const publicAddress = 'https://api.anthropic.com'

/** The smallest window of all current models. The server does not report it. */
const window = 200_000

/** The models of Anthropic, through `@ai-sdk/anthropic`. */
export function anthropic(options: AnthropicOptions): Backend {
  const { model, id = `anthropic/${model}`, capabilities } = options
  const connection = connectionTo({ id, provider: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY' }, options)
  const load = () => loadPeer(packageName, () => import('@ai-sdk/anthropic'), id)
  const makeModel = once(async () => {
    const { createAnthropic } = await load()
    return latest(({ transport, key, failing }: OpenConnection) => {
      const baseURL = withVersion(options.baseUrl ?? connection.variables['ANTHROPIC_BASE_URL'] ?? publicAddress)
      const headers = options.headers && { headers: { ...options.headers } }
      const apiKey = requireKey(key, failing)
      return createAnthropic({ baseURL, apiKey, fetch: asFetch(transport), ...headers })(model)
    })
  })
  return languageModelBackend({
    id,
    prepare: (message) => ownThoughts(message, isSigned),
    providerOptions: (request) => withPossibleThinking(providerOptionsOf(options), request),
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

function providerOptionsOf({ providerOptions = {}, promptCache = 'automatic' }: AnthropicOptions): ProviderOptions {
  if (promptCache === 'off') return { ...providerOptions }
  return { ...providerOptions, anthropic: { cacheControl: { type: 'ephemeral' }, ...providerOptions['anthropic'] } }
}

/** Anthropic's own clients append the version to the address; other addresses have it already. */
function withVersion(address: string): string {
  const plain = address.replace(/\/+$/, '')
  return plain.endsWith('/v1') ? plain : `${plain}/v1`
}
