import type { Backend } from '@loader/session-core'
import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ConnectionOptions } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import { type Body, inDialect } from './chat-dialect.ts'
import { knownProvider } from '../model/known-providers.ts'
import { ownSettings } from './packaged-backend.ts'
import { servedBackend } from './served-backend.ts'

export interface OpenAICompatibleOptions extends ConnectionOptions {
  readonly baseUrl: string
  readonly model: string
}

/** Servers with OpenAI's chat completions API: llama.cpp, LM Studio, vLLM, Ollama's `/v1`, and most clouds. */
export function openaiCompatible(options: OpenAICompatibleOptions): Backend {
  const { baseUrl, model, provider = 'openai-compatible' } = options
  const { dialect } = knownProvider(provider) ?? {}
  const spoken = dialect && {
    includeUsage: dialect.usage !== 'unasked',
    transformRequestBody: (body: Body) => inDialect(dialect, body),
  }
  return servedBackend(
    {
      provider,
      baseUrl,
      takes: { acceptsCallId, filesOfResults: 'from the user' },
      packageName: '@ai-sdk/openai-compatible',
      load: () => import('@ai-sdk/openai-compatible'),
      model({ createOpenAICompatible }, { transport, key }) {
        const apiKey = key === undefined ? {} : { apiKey: key }
        const fetch = asFetch(transport)
        const settings = { name: provider, includeUsage: true, convertUsage, fetch }
        return createOpenAICompatible({ ...settings, ...ownSettings(options), ...spoken, ...apiKey, baseURL: baseUrl })(
          model,
        )
      },
    },
    options,
  )
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
