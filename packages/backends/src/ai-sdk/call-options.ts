import type { JsonObject, ModelRequest, Signal, ToolDescription } from '@loader/session-core'
import type {
  LanguageModelV3CallOptions,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
} from '@ai-sdk/provider'
import type { Prompts } from './prompt.ts'

/** Provider-specific options of a request. */
export interface ProviderOptions {
  readonly [provider: string]: JsonObject
}

export interface CallSettings {
  readonly signal: Signal
  readonly providerOptions: ProviderOptions | undefined
  readonly prompts: Prompts
}

/** Providers of the AI SDK know what each model can do: they take the nearest level, and warn. */
export function callOptions(request: ModelRequest, settings: CallSettings): LanguageModelV4CallOptions {
  const { thinking } = request
  return {
    ...optionsOf(request, settings),
    ...(thinking !== undefined && { reasoning: thinking === 'off' ? 'none' : thinking }),
    prompt: settings.prompts.v4(request),
  }
}

/** Without a level of thinking, for which specification 3 has no place. */
export function callOptionsV3(request: ModelRequest, settings: CallSettings): LanguageModelV3CallOptions {
  return { ...optionsOf(request, settings), prompt: settings.prompts.v3(request) }
}

function optionsOf(
  { temperature, maxOutputTokens, tools }: ModelRequest,
  { signal, providerOptions }: CallSettings,
): Omit<LanguageModelV4CallOptions & LanguageModelV3CallOptions, 'prompt'> {
  return {
    abortSignal: signal,
    ...(tools.length > 0 && { tools: tools.map(functionTool) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providerOptions && { providerOptions: structuredClone({ ...providerOptions }) }),
  }
}

function functionTool({ name, description, inputSchema }: ToolDescription): LanguageModelV4FunctionTool {
  // The types name the keys of a schema differently; the value is the same.
  return { type: 'function', name, description, inputSchema: inputSchema as LanguageModelV4FunctionTool['inputSchema'] }
}
