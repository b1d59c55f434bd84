import { type Backend, type JsonObject, LoaderError, type ModelCapabilities } from '@loader/session-core'
/** @ts-ignore The package is an optional peer: programs that have a model have installed it. */
import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { capabilitiesOf, cautiousWindow } from '../model/capabilities.ts'
import { type AskedModel, languageModelBackend } from './language-model-backend.ts'

/** What `fromLanguageModel` cannot learn from the model itself. */
export interface LanguageModelOptions {
  /** `provider/id`; by default from the model's own provider and id. */
  readonly id?: string
  /** The capabilities of the model, which it does not report. By default: tool calls, and a small context window. */
  readonly capabilities?: Partial<ModelCapabilities>
  /** Options sent with every request, by provider. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
  /** The time in milliseconds. */
  readonly now?: () => number
}

/** Any language model of the AI SDK, of specification 3 or 4, as a backend. */
export function fromLanguageModel(
  model: LanguageModelV3 | LanguageModelV4,
  options: LanguageModelOptions = {},
): Backend {
  requireKnownVersion(model)
  const { id = idOf(model), capabilities, providerOptions, now = Date.now } = options
  const known = capabilitiesOf({ id, nativeTools: true, contextWindow: cautiousWindow, notes: [] }, capabilities)
  return languageModelBackend({
    id,
    providerOptions: () => providerOptions,
    open: async () => ({ model: withOwnPrompts(model), failing: { id, secrets: [], now } }),
    describe: async () => known,
  })
}

/** Prompts are copied, because a custom model or middleware may change the prompt that it receives. */
function withOwnPrompts(model: LanguageModelV3 | LanguageModelV4): AskedModel {
  return model.specificationVersion === 'v4'
    ? { specificationVersion: 'v4', doStream: (call) => model.doStream({ ...call, prompt: copied(call.prompt) }) }
    : { specificationVersion: 'v3', doStream: (call) => model.doStream({ ...call, prompt: copied(call.prompt) }) }
}

/** URLs and bytes are shared: models do not change them in place. */
function copied<Value>(value: Value): Value
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copied(item))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]: [string, unknown]) => [key, copied(inner)]))
}

function requireKnownVersion({
  specificationVersion,
  modelId,
}: {
  specificationVersion: string
  modelId: string
}): void {
  if (specificationVersion === 'v3' || specificationVersion === 'v4') return
  throw new LoaderError(
    'unsupported',
    `The model ${modelId} follows specification ${specificationVersion} of the AI SDK, and only v3 and v4 are known. ` +
      'Use a version of its provider that is made for AI SDK 6 or 7.',
  )
}

/** `openai/gpt-5` of `openai.responses`. */
function idOf({ provider, modelId }: LanguageModelV3 | LanguageModelV4): string {
  const [name = provider] = provider.split('.')
  return `${name}/${modelId}`
}
