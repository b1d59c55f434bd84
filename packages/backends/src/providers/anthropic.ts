import type { Backend } from '@loader/session-core'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import { ownThoughts } from '../ai-sdk/own-thoughts.ts'
import { type ConnectionOptions, connectionTo, type OpenConnection, placeOf } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import { cannotThink } from '../model/cannot-think.ts'
import { capabilitiesOf } from '../model/capabilities.ts'
import { latest } from '../platform/latest.ts'
import { once } from '../platform/once.ts'
import { addressOf } from './address.ts'
import { loadPeer } from './load-peer.ts'
import { type CacheTime, withCacheMarks } from './cache-marks.ts'
import { isSigned, withPossibleThinking } from './possible-thinking.ts'
import { requireKey } from './require-key.ts'
import {
  leastLimitByBudget,
  ownBudget,
  thinksByBudget,
  withBudgetInLimit,
  withPossibleBudget,
} from './thinking-budget.ts'

export interface AnthropicOptions extends ConnectionOptions {
  readonly model: string
  /**
   * How long the server keeps what a request and the next have in common, which makes long sessions affordable:
   * `automatic`, the default, is five minutes.
   */
  readonly promptCache?: 'automatic' | '1h' | 'off'
}

const packageName = '@ai-sdk/anthropic'

/** The smallest window of all current models. The server does not report it. */
const window = 200_000

/** The models of Anthropic, through `@ai-sdk/anthropic`. */
export function anthropic(options: AnthropicOptions): Backend {
  const { model, capabilities } = options
  const place = placeOf('anthropic', options)
  const { id } = place
  const connection = connectionTo(place, options)
  const load = () => loadPeer(packageName, () => import('@ai-sdk/anthropic'), id)
  const makeModel = once(async () => {
    const { createAnthropic } = await load()
    return latest(({ transport, key, failing }: OpenConnection) => {
      const baseURL = addressOf('anthropic', options, connection.variables)
      const headers = options.headers && { headers: { ...options.headers } }
      const apiKey = requireKey(key, failing)
      return createAnthropic({ baseURL, apiKey, fetch: asFetch(transport), ...headers })(model)
    })
  })
  const time = cacheTime(options)
  const marked = (call: LanguageModelV4CallOptions) => (time === undefined ? call : withCacheMarks(call, time))
  return languageModelBackend({
    id,
    cannotThink: cannotThink('anthropic', model),
    prepare: (message) => ownThoughts(message, isSigned),
    providerOptions: (request) =>
      withPossibleThinking(withPossibleBudget(options.providerOptions ?? {}, request), request, model),
    ...(thinksByBudget(model) && { leastLimit: leastLimitByBudget }),
    ...(ownBudget(options.providerOptions ?? {}) !== undefined && { leastLimitOfOwn: leastLimitByBudget }),
    adapted: (call) => marked(withBudgetInLimit(call, model)),
    async open() {
      const modelOver = await makeModel()
      const opened = await connection.open()
      return { model: modelOver(opened), failing: opened.failing }
    },
    async describe() {
      await load()
      const contextWindow = options.contextWindow ?? window
      const notes = options.contextWindow === undefined ? [`a window of ${window} tokens is assumed`] : []
      return capabilitiesOf(
        { id, nativeTools: true, contextWindow, notes, images: true, documents: true },
        capabilities,
      )
    },
  })
}

/** A mark of the caller for the whole request stands alone, because it takes one of the four places. */
function cacheTime({ promptCache = 'automatic', providerOptions }: AnthropicOptions): CacheTime | undefined {
  if (promptCache === 'off' || providerOptions?.['anthropic']?.['cacheControl'] !== undefined) return undefined
  return promptCache === '1h' ? '1h' : '5m'
}
