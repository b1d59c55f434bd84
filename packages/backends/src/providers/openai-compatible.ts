import type { Backend } from '@loader/session-core'
import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import { type ConnectionOptions, connectionTo, type OpenConnection } from '../connection/connection.ts'
import { keyVariable } from '../connection/credentials.ts'
import { asFetch } from '../http/as-fetch.ts'
import { attentive } from '../known/attentive.ts'
import { keyOf } from '../known/key-of.ts'
import { Known } from '../known/known.ts'
import { latest } from '../platform/latest.ts'
import { once } from '../platform/once.ts'
import { askServed, describeServed, ServedFacts } from './describe-served.ts'
import { loadPeer } from './load-peer.ts'

export interface OpenAICompatibleOptions extends ConnectionOptions {
  readonly baseUrl: string
  readonly model: string
  /** The name of the server: the first part of its model names, and of the variable with its key. */
  readonly provider?: string
  /** The variable with its key; by default `GROQ_API_KEY` for a provider called `groq`. */
  readonly apiKeyVariable?: string
}

const packageName = '@ai-sdk/openai-compatible'

/** Servers with OpenAI's chat completions API: llama.cpp, LM Studio, vLLM, Ollama's `/v1`, and most clouds. */
export function openaiCompatible(options: OpenAICompatibleOptions): Backend {
  const { baseUrl, model, provider = 'openai-compatible', apiKeyVariable = keyVariable(provider) } = options
  const { id = `${provider}/${model}` } = options
  const connection = connectionTo({ id, provider, keyVariable: apiKeyVariable }, options)
  const load = () => loadPeer(packageName, () => import('@ai-sdk/openai-compatible'), id)
  const makeModel = once(async () => {
    const { createOpenAICompatible } = await load()
    return latest(({ transport, key }: OpenConnection) => {
      const headers = options.headers && { headers: { ...options.headers } }
      const apiKey = key === undefined ? {} : { apiKey: key }
      const settings = { name: provider, baseURL: baseUrl, includeUsage: true, convertUsage, fetch: asFetch(transport) }
      return createOpenAICompatible({ ...settings, ...apiKey, ...headers })(model)
    })
  })
  const known = new Known<ServedFacts>(
    {
      key: keyOf('openai-compatible', baseUrl, provider, model),
      schema: ServedFacts,
      isTelling: ({ contextWindow, nativeTools }) => contextWindow !== null || nativeTools !== null,
      isAsAble: (one, other) => one.contextWindow === other.contextWindow && one.nativeTools === other.nativeTools,
      async ask(urgency) {
        const { transport, key, failing } = await connection.open()
        const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
        const headers = { ...authorization, ...options.headers }
        return askServed(
          { transport, headers, failing },
          { baseUrl, model, provider },
          { isAside: urgency === 'aside' },
        )
      },
    },
    options.knownModelsFile,
  )
  const backend = languageModelBackend({
    id,
    providerOptions: () => options.providerOptions,
    acceptsCallId,
    filesOfResults: 'from the user',
    async open() {
      const modelOver = await makeModel()
      const opened = await connection.open()
      return { model: modelOver(opened), failing: opened.failing }
    },
    async describe() {
      await load()
      return describeServed(id, options, () => known.get())
    },
  })
  return attentive(backend, known)
}

/** Templates of some local models print call ids, and expect the form that the model was trained on. */
function acceptsCallId(id: string): boolean {
  return /^[\x21-\x7e]{1,40}$/.test(id)
}

type Count = number | null | undefined

interface ChatUsage {
  readonly prompt_tokens?: Count
  readonly completion_tokens?: Count
  readonly prompt_tokens_details?: { readonly cached_tokens?: Count } | null | undefined
  readonly completion_tokens_details?: { readonly reasoning_tokens?: Count } | null | undefined
}

/** Counts that the server did not report stay unknown; the provider's own conversion would make them 0. */
function convertUsage(usage: ChatUsage | null | undefined): LanguageModelV4Usage {
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? undefined
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined
  return {
    inputTokens: { total: usage?.prompt_tokens ?? undefined, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: usage?.completion_tokens ?? undefined, text: undefined, reasoning },
  }
}
