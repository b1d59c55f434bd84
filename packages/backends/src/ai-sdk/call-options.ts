import type { JsonObject, ModelRequest, Signal, ToolDescription } from '@loader/session-core'
import type {
  LanguageModelV3CallOptions,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
} from '@ai-sdk/provider'
import { promptOf } from './prompt.ts'
import { promptV3 } from './prompt-v3.ts'

/** What goes with a request beyond its words, by provider. */
export interface ProviderOptions {
  readonly [provider: string]: JsonObject
}

export interface CallSettings {
  readonly signal: Signal
  readonly providerOptions: ProviderOptions | undefined
  /** Which ids of calls the provider takes; by default those that all do. */
  readonly acceptsCallId?: ((id: string) => boolean) | undefined
}

export function callOptions(request: ModelRequest, settings: CallSettings): LanguageModelV4CallOptions {
  const { temperature, maxOutputTokens, tools } = request
  const { signal, providerOptions, acceptsCallId } = settings
  return {
    prompt: promptOf(request, acceptsCallId),
    abortSignal: signal,
    ...(tools.length > 0 && { tools: tools.map(functionTool) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providerOptions && { providerOptions: structuredClone({ ...providerOptions }) }),
  }
}

export function callOptionsV3(request: ModelRequest, settings: CallSettings): LanguageModelV3CallOptions {
  const { prompt, abortSignal, temperature, maxOutputTokens, providerOptions } = callOptions(request, settings)
  return {
    prompt: promptV3(prompt),
    ...(abortSignal && { abortSignal }),
    ...(request.tools.length > 0 && { tools: request.tools.map(functionTool) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providerOptions && { providerOptions }),
  }
}

function functionTool({ name, description, inputSchema }: ToolDescription): LanguageModelV4FunctionTool {
  // A schema is a schema, whatever its keys are called in the types of either side.
  return { type: 'function', name, description, inputSchema: inputSchema as LanguageModelV4FunctionTool['inputSchema'] }
}
