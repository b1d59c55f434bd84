import * as z from 'zod/mini'
import { maybe } from '../platform/maybe.ts'
import { tokens } from '../discover/served-model.ts'
import { lazy } from '../platform/lazy.ts'
import { knownProvider } from '../model/known-providers.ts'

/** A model of a provider, as far as it is known what it can do. */
export interface ListedModel {
  /** `provider/id`, as `backendFor` takes it. */
  readonly name: string
  readonly contextWindow?: number
  readonly nativeTools?: boolean
  /** Whether it takes pictures. */
  readonly images?: boolean
  readonly thinking?: boolean
  /** When it appeared, in milliseconds. */
  readonly createdAt?: number
}

const yes = () => maybe(z.boolean())
const words = () => maybe(z.array(z.string()))
/** Anthropic says of each capability whether it is supported. */
const supported = () =>
  maybe(
    z.union([
      z.boolean(),
      z.pipe(
        z.looseObject({ supported: z.boolean() }),
        z.transform((one) => one.supported),
      ),
    ]),
  )

/** The fields in which providers say what a model can do. No field means the same in two of them and something else. */
const Entry = lazy(() =>
  z.looseObject({
    id: maybe(z.string()),
    // Google: `models/gemini-…`
    name: maybe(z.string()),
    created: maybe(z.number()),
    created_at: maybe(z.string()),
    max_model_len: tokens(),
    context_length: tokens(),
    context_window: tokens(),
    max_context_length: tokens(),
    max_input_tokens: tokens(),
    inputTokenLimit: tokens(),
    // Together
    type: maybe(z.string()),
    // Groq
    active: yes(),
    // Fireworks
    supports_chat: yes(),
    supports_tools: yes(),
    supports_image_input: yes(),
    // Google
    supportedGenerationMethods: words(),
    thinking: yes(),
    // OpenRouter
    supported_parameters: words(),
    architecture: maybe(z.looseObject({ input_modalities: words() })),
    // Mistral: yes or no. Anthropic: objects.
    capabilities: maybe(
      z.looseObject({
        completion_chat: supported(),
        function_calling: supported(),
        vision: supported(),
        reasoning: supported(),
        image_input: supported(),
        thinking: supported(),
      }),
    ),
  }),
)
type Entry = z.infer<ReturnType<typeof Entry>>

const Entries = lazy(() =>
  z.union([
    z.array(z.unknown()),
    z.pipe(
      z.looseObject({ data: z.array(z.unknown()) }),
      z.transform(({ data }) => data),
    ),
    z.pipe(
      z.looseObject({ models: z.array(z.unknown()) }),
      z.transform(({ models }) => models),
    ),
  ]),
)

/** The models in a provider's answer; undefined when it is no list of models. */
export function modelsIn(provider: string, answer: unknown): readonly ListedModel[] | undefined {
  const entries = Entries().safeParse(answer).data
  return entries?.flatMap((value) => {
    const entry = Entry().safeParse(value).data
    return entry === undefined || !answersChats(entry) ? [] : listed(provider, entry)
  })
}

/** Lists also hold models for other work. This only shortens them: every model can be asked by its name. */
const otherWork =
  /(^|[-_/.])(embed(ding)?s?|whisper|tts|dall-e|image|imagen|veo|sora|moderation|rerank(er)?|transcribe|audio|realtime|speech|ocr|guard|voxtral|babbage|davinci|aqa|gpt-3\.5-turbo-instruct)([-_/.\d:]|$)/i

function answersChats({ id, name, type, active, supports_chat: chats, capabilities, ...more }: Entry): boolean {
  if (active === false || chats === false || capabilities?.completion_chat === false) return false
  const { supportedGenerationMethods: methods } = more
  if (methods !== undefined && !methods.includes('generateContent')) return false
  if (type !== undefined && !['chat', 'language', 'model', 'base', 'llm', 'vlm'].includes(type)) return false
  return !otherWork.test(id ?? name ?? '')
}

function listed(provider: string, entry: Entry): ListedModel[] {
  const { id = entry.name?.replace(/^models\//, ''), supported_parameters: parameters, capabilities } = entry
  if (id === undefined) return []
  const takes = entry.architecture?.input_modalities
  const { max_model_len, context_length, context_window, max_context_length, max_input_tokens } = entry
  const contextWindow =
    max_model_len ?? context_length ?? context_window ?? max_context_length ?? max_input_tokens ?? entry.inputTokenLimit
  const nativeTools =
    capabilities?.function_calling ??
    entry.supports_tools ??
    parameters?.includes('tools') ??
    knownProvider(provider)?.allCallTools
  const images =
    capabilities?.vision ?? capabilities?.image_input ?? entry.supports_image_input ?? takes?.includes('image')
  const thinking =
    capabilities?.reasoning ?? capabilities?.thinking ?? entry.thinking ?? parameters?.includes('reasoning')
  const createdAt = createdIn(entry)
  return [
    {
      name: `${provider}/${id}`,
      ...(contextWindow !== undefined && { contextWindow }),
      ...(nativeTools !== undefined && { nativeTools }),
      ...(images !== undefined && { images }),
      ...(thinking !== undefined && { thinking }),
      ...(createdAt !== undefined && { createdAt }),
    },
  ]
}

function createdIn({ created, created_at: text }: Entry): number | undefined {
  const time = created === undefined ? Date.parse(text ?? '') : created * 1000
  return Number.isFinite(time) && time > 0 ? time : undefined
}
