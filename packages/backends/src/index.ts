export { fromLanguageModel, type LanguageModelOptions } from './ai-sdk/from-language-model.ts'
export { toLanguageModel } from './ai-sdk/to-language-model.ts'
export { backendFor } from './backend-for.ts'
export type { ConnectionOptions } from './connection/connection.ts'
export type { BackendOptions, ProviderSettings } from './connection/provider-settings.ts'
export {
  discover,
  type DiscoveredModel,
  type DiscoveredServer,
  type DiscoverOptions,
  type ServerPlace,
} from './discover/discover.ts'
export { secretSpellings } from './failures/redact.ts'
export type { Fetch } from './http/fetch.ts'
export type { TimeOuts } from './http/guarded.ts'
export type { AskOptions } from './lists/ask-provider.ts'
export { checkKey, type KeyCheck } from './lists/check-key.ts'
export { type ListedProvider, listModels, type ListModelsOptions } from './lists/list-models.ts'
export type { ListedModel } from './lists/listed-model.ts'
export { type ModelName, parseModelName } from './model/model-name.ts'
export { providerNames } from './model/provider-names.ts'
export { ollama, type OllamaOptions } from './ollama/ollama.ts'
export { modelFacts, type ModelFacts } from './prices/model-facts.ts'
export { ModelPrice, type ModelPrices } from './prices/model-prices.ts'
export { type PriceOptions, withPrices } from './prices/with-prices.ts'
export { anthropic, type AnthropicOptions } from './providers/anthropic.ts'
export { google, type GoogleOptions } from './providers/google.ts'
export { type KnownProvider, knownProviders, type ProviderApi } from './model/known-providers.ts'
export { openai, type OpenAIOptions } from './providers/openai.ts'
export { openaiCompatible, type OpenAICompatibleOptions } from './providers/openai-compatible.ts'
export type { Variables } from './platform/variables.ts'
