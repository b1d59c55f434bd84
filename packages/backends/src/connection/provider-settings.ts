import type { ModelPrices } from '../prices/model-prices.ts'
import type { ProviderApi } from '../model/known-providers.ts'
import type { ConnectionOptions } from './connection.ts'

/** A provider under a name of the caller's choice. */
export interface ProviderSettings extends ConnectionOptions {
  readonly api: ProviderApi
}

export interface BackendOptions extends ConnectionOptions {
  /** Prices by model, such as `{ 'groq/*': { input: 0.1, output: 0.3 } }`; they go before the bundled list. */
  readonly prices?: ModelPrices
  /** Providers by name, next to those that are known: `{ acme: { api: 'openai-compatible', baseUrl: … } }`. */
  readonly providers?: { readonly [name: string]: ProviderSettings }
  /** How long Anthropic keeps what requests have in common: five minutes, an hour, or not at all. */
  readonly promptCache?: 'automatic' | '1h' | 'off'
  /** The file in which users of this program describe `providers`; messages name it. */
  readonly settingsFile?: string
}
