import * as z from 'zod/mini'
import { maybe } from '../platform/maybe.ts'
import { lazy } from '../platform/lazy.ts'
import type { Ask } from '../http/ask.ts'
import { type ServedModel, type ServerKind, tokens } from './served-model.ts'

const Tags = lazy(() => z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) }))

const Running = lazy(() =>
  z.looseObject({
    models: z.array(z.looseObject({ name: z.string(), context_length: tokens() })),
  }),
)

const Shown = lazy(() =>
  z.looseObject({
    capabilities: z.optional(z.array(z.string())),
    template: z.optional(z.string()),
    model_info: z.optional(z.record(z.string(), z.unknown())),
    remote_model: z.optional(z.string()),
    thinking: maybe(z.looseObject({ values: z.array(z.union([z.boolean(), z.string()])) })),
  }),
)

/** The relevant fields of an answer of `/api/show`. */
export interface OllamaModel {
  readonly nativeTools: boolean
  readonly thinking: boolean
  /** What `think` can be; null if the server does not list it. */
  readonly thinkingValues: (boolean | string)[] | null
  /** Undefined where the server is too old to say. */
  readonly images: boolean | undefined
  readonly largestWindow: number | undefined
  /** The model runs in the cloud, so its window cannot be chosen here. */
  readonly remote: boolean
}

export const ollamaServer: ServerKind = {
  name: 'ollama',
  title: 'Ollama',
  port: 11434,
  path: '/v1',
  unloadedWindow: 4096,
  remedy:
    'set OLLAMA_CONTEXT_LENGTH=32768 and start `ollama serve` again, or use it as ollama/…, which asks for more itself',
  async list(origin, ask, only) {
    const [tags, running] = await Promise.all([ask(`${origin}/api/tags`), runningModels(origin, ask)])
    const models = Tags().safeParse(tags).data?.models
    if (models === undefined) return undefined
    const wanted = only === undefined ? models : models.filter(({ name }) => isSameModel(name, only))
    return Promise.all(wanted.map(({ name }) => servedModel(origin, ask, name, running)))
  },
}

async function servedModel(
  origin: string,
  ask: Ask,
  id: string,
  running: ReadonlyMap<string, number | undefined>,
): Promise<ServedModel> {
  const shown = ollamaModel(await ask(`${origin}/api/show`, { model: id }))
  const loaded = running.has(id)
  const window = running.get(id)
  return {
    id,
    loaded,
    ...(window !== undefined && { contextWindow: window }),
    ...(shown?.largestWindow !== undefined && { largestWindow: shown.largestWindow }),
    ...(shown && { nativeTools: shown.nativeTools }),
    ...(shown?.images !== undefined && { images: shown.images }),
  }
}

/** The loaded models, and the window of each. */
export async function runningModels(origin: string, ask: Ask): Promise<ReadonlyMap<string, number | undefined>> {
  const models = Running().safeParse(await ask(`${origin}/api/ps`)).data?.models ?? []
  return new Map(models.map(({ name, context_length: window }) => [name, window]))
}

/** Parses an answer of `/api/show`; undefined when it is invalid. */
export function ollamaModel(answer: unknown): OllamaModel | undefined {
  const shown = Shown().safeParse(answer).data
  if (shown === undefined) return undefined
  const { capabilities, template = '', model_info: facts = {}, remote_model: remote, thinking } = shown
  const [, length] = Object.entries(facts).find(([name]) => name.endsWith('.context_length')) ?? []
  return {
    // Older servers do not list capabilities: then a template that prints tools shows that the model supports them.
    nativeTools: capabilities?.includes('tools') ?? /\.Tools\b/.test(template),
    thinking: capabilities?.includes('thinking') ?? false,
    thinkingValues: thinking?.values ?? null,
    images: capabilities?.includes('vision'),
    largestWindow: typeof length === 'number' && length > 0 ? length : undefined,
    remote: remote !== undefined,
  }
}

/** A name without a tag means `latest`. */
export function isSameModel(name: string, other: string): boolean {
  return withTag(name) === withTag(other)
}

function withTag(name: string): string {
  return /:[^/]*$/.test(name) ? name : `${name}:latest`
}
