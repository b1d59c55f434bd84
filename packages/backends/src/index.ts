export { fromLanguageModel, type LanguageModelOptions } from './ai-sdk/from-language-model.ts'
export { toLanguageModel } from './ai-sdk/to-language-model.ts'
export { backendFor, type BackendOptions, type ProviderSettings } from './backend-for.ts'
export type { ConnectionOptions } from './connection/connection.ts'
export {
  discover,
  type DiscoveredModel,
  type DiscoveredServer,
  type DiscoverOptions,
  type ServerPlace,
} from './discover/discover.ts'
export type { Fetch } from './http/fetch.ts'
export type { TimeOuts } from './http/guarded.ts'
export { type ModelName, parseModelName } from './model/model-name.ts'
export { ollama, type OllamaOptions } from './ollama/ollama.ts'
export { anthropic, type AnthropicOptions } from './providers/anthropic.ts'
export { google, type GoogleOptions } from './providers/google.ts'
export { openai, type OpenAIOptions } from './providers/openai.ts'
export { openaiCompatible, type OpenAICompatibleOptions } from './providers/openai-compatible.ts'
export type { Variables } from './platform/variables.ts'
