import type { Backend } from '@loader/session-core'
import type { ConnectionOptions } from '../connection/connection.ts'
import { asFetch } from '../http/as-fetch.ts'
import { systemVariables } from '../platform/variables.ts'
import { addressOf } from './address.ts'
import { ownSettings } from './packaged-backend.ts'
import { requireKey } from './require-key.ts'
import { servedBackend } from './served-backend.ts'

/**
 * The models of Mistral, through `@ai-sdk/mistral`: its interface resembles OpenAI's, but thoughts are a kind of content
 * there, and fields that it does not know are refused.
 */
export function mistral(options: ConnectionOptions & { readonly model: string }): Backend {
  const { model, variables = systemVariables() } = options
  const baseURL = addressOf('mistral', options, variables)
  return servedBackend(
    {
      provider: options.provider ?? 'mistral',
      baseUrl: baseURL,
      takes: { acceptsCallId, filesOfResults: 'from the user' },
      packageName: '@ai-sdk/mistral',
      load: () => import('@ai-sdk/mistral'),
      model({ createMistral }, { transport, key, failing }) {
        const apiKey = requireKey(key, failing)
        return createMistral({ ...ownSettings(options), baseURL, apiKey, fetch: asFetch(transport) })(model)
      },
    },
    options,
  )
}

/** Mistral takes ids of exactly nine letters and digits. */
function acceptsCallId(id: string): boolean {
  return /^[a-zA-Z0-9]{9}$/.test(id)
}
