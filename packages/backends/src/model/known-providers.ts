import type { JsonObject } from '@loader/session-core'
import type { providerNames } from './provider-names.ts'

/** The interfaces over which models are spoken to. */
export type ProviderApi =
  | 'ollama'
  | 'openai-compatible'
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'mistral'
  | 'azure'
  | 'bedrock'
  | 'vertex'

/**
 * A provider that is known by its name. Everything about a provider follows from its row: how its models are reached,
 * which variables hold its key, how it is asked for its models, and what the documentation says of it.
 */
export interface KnownProvider {
  /** The first part of its model names. */
  readonly name: (typeof providerNames)[number]
  /** The name for people. */
  readonly title: string
  readonly api: ProviderApi
  /** Where it is; absent if that depends on the account. */
  readonly baseUrl?: string
  /** The variables that say where it is, as its own clients read them; the first that is set counts. */
  readonly addressVariables?: readonly string[]
  /** The variables that hold its key, as its own clients read them; the first that is set counts. */
  readonly keyVariables: readonly string[]
  /** More variables with secrets of it. */
  readonly secretVariables?: readonly string[]
  /** Whether requests without a key make sense. Servers of one's own need none, and some accounts sign in otherwise. */
  readonly key: 'required' | 'optional'
  /** Where its keys are made. */
  readonly keyPage?: string
  /** The package that a library installs for it; absent if none is needed. */
  readonly package?: string
  /** Whether that package is part of the `loader` command; absent if there is none, or if it is too large. */
  readonly bundled?: true
  /** The path of its list of models, behind the address; absent if it has none that a key can read. */
  readonly modelsPath?: string
  /** The path that tells whether a key is good, if everybody can read the list of models. */
  readonly keyPath?: string
  /** All of its models call tools; absent if its list says which do, or nothing does. */
  readonly allCallTools?: true
  /** Where it differs from OpenAI's chat completions. */
  readonly dialect?: ChatDialect
  /** Options of its package that each request needs. */
  readonly requestOptions?: JsonObject
  /**
   * What has shown that requests to it are right: a server that enforces the rules of its interface, a comparison with
   * a request of its own client, or nothing.
   */
  readonly tested: 'strict server' | 'compared request' | 'not tried'
}

/** How a provider differs from OpenAI's chat completions. */
export interface ChatDialect {
  /** The field of an answer in which it takes reasoning back; absent means `reasoning_content`. */
  readonly reasoning?: 'reasoning'
  /** The field for the limit of an answer; absent means `max_tokens`. */
  readonly limit?: 'max_completion_tokens'
  /** It is told by a field `thinking` whether to think, and by `reasoning_effort` only how much. */
  readonly thinking?: 'switched'
  /** It reports the usage of a stream without being asked, and knows no field to ask for it. */
  readonly usage?: 'unasked'
}

const compatible = { api: 'openai-compatible', package: '@ai-sdk/openai-compatible', bundled: true } as const

/** A cloud with OpenAI's chat completions. */
const cloud = { ...compatible, key: 'required', modelsPath: '/models', tested: 'compared request' } as const

/** A server that people run themselves. */
const local = { ...compatible, key: 'optional', modelsPath: '/models', tested: 'strict server' } as const

/** The providers that are known by name. */
export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'anthropic',
    title: 'Anthropic',
    api: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    addressVariables: ['ANTHROPIC_BASE_URL'],
    keyVariables: ['ANTHROPIC_API_KEY'],
    key: 'required',
    keyPage: 'https://console.anthropic.com/settings/keys',
    package: '@ai-sdk/anthropic',
    bundled: true,
    modelsPath: '/models?limit=1000',
    allCallTools: true,
    tested: 'strict server',
  },
  {
    name: 'openai',
    title: 'OpenAI',
    api: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    addressVariables: ['OPENAI_BASE_URL'],
    keyVariables: ['OPENAI_API_KEY'],
    key: 'required',
    keyPage: 'https://platform.openai.com/api-keys',
    package: '@ai-sdk/openai',
    bundled: true,
    modelsPath: '/models',
    tested: 'strict server',
  },
  {
    name: 'google',
    title: 'Google',
    api: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com',
    addressVariables: ['GOOGLE_GEMINI_BASE_URL'],
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    key: 'required',
    keyPage: 'https://aistudio.google.com/apikey',
    package: '@ai-sdk/google',
    bundled: true,
    modelsPath: '/models?pageSize=1000',
    tested: 'strict server',
  },
  {
    name: 'openrouter',
    title: 'OpenRouter',
    ...cloud,
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    keyPage: 'https://openrouter.ai/settings/keys',
    keyPath: '/key',
    dialect: { reasoning: 'reasoning' },
  },
  {
    name: 'groq',
    title: 'Groq',
    ...cloud,
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    keyPage: 'https://console.groq.com/keys',
    dialect: { reasoning: 'reasoning' },
  },
  {
    name: 'mistral',
    title: 'Mistral',
    api: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    key: 'required',
    keyPage: 'https://console.mistral.ai/api-keys',
    package: '@ai-sdk/mistral',
    bundled: true,
    modelsPath: '/models',
    tested: 'compared request',
  },
  {
    name: 'deepseek',
    title: 'DeepSeek',
    ...cloud,
    baseUrl: 'https://api.deepseek.com',
    keyVariables: ['DEEPSEEK_API_KEY'],
    keyPage: 'https://platform.deepseek.com/api_keys',
    // https://api-docs.deepseek.com/guides/thinking_mode
    dialect: { thinking: 'switched' },
  },
  {
    name: 'xai',
    title: 'xAI',
    api: 'openai',
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    key: 'required',
    keyPage: 'https://console.x.ai',
    // The package asks OpenAI's own models for it, by their names.
    requestOptions: { include: ['reasoning.encrypted_content'] },
    package: '@ai-sdk/openai',
    bundled: true,
    modelsPath: '/models',
    tested: 'compared request',
  },
  {
    name: 'together',
    title: 'Together AI',
    ...cloud,
    baseUrl: 'https://api.together.xyz/v1',
    keyVariables: ['TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'],
    keyPage: 'https://api.together.ai/settings/api-keys',
  },
  {
    name: 'fireworks',
    title: 'Fireworks AI',
    ...cloud,
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    keyPage: 'https://app.fireworks.ai/settings/users/api-keys',
  },
  {
    name: 'cerebras',
    title: 'Cerebras',
    ...cloud,
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    keyPage: 'https://cloud.cerebras.ai',
    dialect: { reasoning: 'reasoning', limit: 'max_completion_tokens', usage: 'unasked' },
  },
  {
    name: 'ollama',
    title: 'Ollama',
    api: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    addressVariables: ['OLLAMA_HOST'],
    keyVariables: ['OLLAMA_API_KEY'],
    key: 'optional',
    tested: 'strict server',
  },
  {
    name: 'lmstudio',
    title: 'LM Studio',
    ...local,
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyVariables: ['LMSTUDIO_API_KEY'],
  },
  {
    name: 'llamacpp',
    title: 'llama.cpp',
    ...local,
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariables: ['LLAMACPP_API_KEY'],
  },
  { name: 'vllm', title: 'vLLM', ...local, baseUrl: 'http://127.0.0.1:8000/v1', keyVariables: ['VLLM_API_KEY'] },
  {
    name: 'azure',
    title: 'Azure OpenAI',
    api: 'azure',
    addressVariables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_RESOURCE_NAME'],
    keyVariables: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
    key: 'required',
    keyPage: 'https://portal.azure.com',
    package: '@ai-sdk/openai',
    bundled: true,
    keyPath: '/models',
    tested: 'compared request',
  },
  {
    name: 'bedrock',
    title: 'Amazon Bedrock',
    api: 'bedrock',
    addressVariables: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
    secretVariables: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
    key: 'optional',
    package: '@ai-sdk/amazon-bedrock',
    tested: 'not tried',
  },
  {
    name: 'vertex',
    title: 'Google Vertex AI',
    api: 'vertex',
    addressVariables: ['GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION'],
    keyVariables: ['GOOGLE_VERTEX_API_KEY'],
    key: 'optional',
    package: '@ai-sdk/google-vertex',
    tested: 'not tried',
  },
]

/** The row of a provider; undefined for a name that is not in the table. */
export function knownProvider(name: string): KnownProvider | undefined {
  return knownProviders.find((provider) => provider.name === name)
}

/** `GROQ_API_KEY` for `groq`: the variable with the key of a provider that is not in the table. */
function usualKeyVariable(provider: string): string {
  return `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`
}

/** The variables that can hold the key of a provider, also of one that is not in the table. */
export function keyVariablesOf(provider: string): readonly string[] {
  return knownProvider(provider)?.keyVariables ?? [usualKeyVariable(provider)]
}

/** The first of these variables that is set. */
export function firstSet(
  names: readonly string[],
  variables: { readonly [name: string]: string | undefined },
): string | undefined {
  return names.map((name) => variables[name]?.trim()).find((value) => value)
}
