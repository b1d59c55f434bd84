import type { ModelCapabilities } from '@loader/session-core'
import * as z from 'zod/mini'
import { maybe } from '../platform/maybe.ts'
import { tokens } from '../discover/served-model.ts'
import { serverKinds } from '../discover/server-kinds.ts'
import { type Failing, failure } from '../failures/failure.ts'
import { type Ask, asking } from '../http/ask.ts'
import { deadline } from '../http/deadline.ts'
import type { Transport } from '../http/transport.ts'
import { capabilitiesOf, cautiousWindow, smallWindow } from '../model/capabilities.ts'
import { jsonIn } from '../platform/json-text.ts'
import { lazy } from '../platform/lazy.ts'

const patienceMs = 10_000

/** What a server reports about a model; null for fields it does not report. */
export const ServedFacts = lazy(() =>
  z.object({
    contextWindow: z.nullable(z.int().check(z.gte(1))),
    nativeTools: z.nullable(z.boolean()),
    /** Null also in what older versions kept. */
    images: z._default(z.nullable(z.boolean()), null),
    /** The product, if it is a known one. */
    kind: z.nullable(z.string()),
  }),
)
export type ServedFacts = z.infer<ReturnType<typeof ServedFacts>>

/** The fields in which cloud servers report the window of a model. */
const Models = lazy(() =>
  z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        max_model_len: tokens(),
        context_length: tokens(),
        context_window: tokens(),
        max_context_length: tokens(),
        // OpenRouter, Mistral, Moonshot.
        architecture: maybe(z.looseObject({ input_modalities: z.optional(z.array(z.string())) })),
        capabilities: maybe(z.looseObject({ vision: z.optional(z.boolean()) })),
        supports_image_in: maybe(z.boolean()),
      }),
    ),
  }),
)

export interface ServerAddress {
  readonly transport: Transport
  readonly headers: { readonly [name: string]: string }
  readonly failing: Failing
}

export interface Served {
  readonly baseUrl: string
  readonly model: string
  /** The product that the server is expected to be, if the provider's name is one. */
  readonly provider: string
}

interface TurnOptions {
  readonly contextWindow?: number
  readonly capabilities?: Partial<ModelCapabilities>
}

const silent: ServedFacts = { contextWindow: null, nativeTools: null, images: null, kind: null }

/**
 * The capabilities of a model. Those from the caller take precedence over the server's, and can make asking needless.
 */
export async function describeServed(
  id: string,
  { contextWindow, capabilities }: TurnOptions,
  ask: () => Promise<ServedFacts>,
): Promise<ModelCapabilities> {
  const allKnown = contextWindow !== undefined && capabilities?.nativeTools !== undefined
  const facts = allKnown ? silent : await ask()
  const told = contextWindow ?? facts.contextWindow ?? undefined
  const remedy = serverKinds.find(({ name }) => name === facts.kind)?.remedy
  const notes = [
    told === undefined ? `the server does not tell its window; ${cautiousWindow} tokens are assumed` : undefined,
    facts.nativeTools === null && !allKnown ? 'it is assumed to call tools' : undefined,
    smallWindow(told, remedy ?? 'give it a larger one where it is started'),
  ].filter((note) => note !== undefined)
  const nativeTools = facts.nativeTools ?? true
  const about = { id, nativeTools, contextWindow: told ?? cautiousWindow, notes, images: facts.images ?? undefined }
  return capabilitiesOf({ ...about, documents: false }, capabilities)
}

/**
 * The facts that a server with OpenAI's interface reports about a model, from the first source that has them. Only the
 * list of models belongs to that interface. The other sources are specific to products: unless the server is expected
 * to be that product, they are queried without the key, which is meant only for that server's own interface.
 */
export async function askServed(
  { transport, headers, failing }: ServerAddress,
  { baseUrl, model, provider }: Served,
  { isAside }: { readonly isAside: boolean },
): Promise<ServedFacts> {
  const silence = () => failure(failing, 'connection', `said nothing about itself for ${patienceMs / 1000} s.`)
  const signal = deadline(patienceMs, silence)
  // An unreachable server is an error; any other answer only means that it reports no facts.
  const list = `${baseUrl.replace(/\/+$/, '')}/models`
  const response = await transport(list, { headers, signal, ...(isAside && { isAside }) })
  const listed = jsonIn(await response.text())
  const { contextWindow, ...sees } = factsIn(listed, model)
  if (contextWindow !== undefined) return { ...silent, contextWindow, ...sees }
  const origin = baseUrl.replace(/(\/v1)?\/*$/, '')
  const chosen = serverKinds.filter(({ name }) => name === provider)
  const [kinds, known] = chosen.length > 0 ? [chosen, headers] : [serverKinds, {}]
  const elsewhere = asking({ transport, headers: known, signal, isAside })
  const ask: Ask = async (url, body) => (url === list ? (response.ok ? listed : undefined) : elsewhere(url, body))
  return { ...(await factsOf(kinds, origin, ask, model)), ...sees }
}

/** What the list of models says of one. */
function factsIn(listed: unknown, model: string): { contextWindow: number | undefined; images?: boolean } {
  const entry = Models()
    .safeParse(listed)
    .data?.data.find(({ id }) => id === model)
  const contextWindow =
    entry?.max_model_len ?? entry?.context_length ?? entry?.context_window ?? entry?.max_context_length
  const images =
    entry?.architecture?.input_modalities?.includes('image') ?? entry?.capabilities?.vision ?? entry?.supports_image_in
  return { contextWindow, ...(images !== undefined && { images }) }
}

async function factsOf(kinds: typeof serverKinds, origin: string, ask: Ask, id: string): Promise<ServedFacts> {
  const answers = kinds.map(async (kind) => ({ kind, models: await kind.list(origin, ask, id) }))
  const found = (await Promise.all(answers)).find(({ models }) => models !== undefined)
  const model = found?.models?.[0]
  if (found === undefined || model === undefined) return { ...silent, kind: found?.kind.name ?? null }
  const { contextWindow = found.kind.unloadedWindow, nativeTools, images } = model
  const { name: kind } = found.kind
  return { contextWindow: contextWindow ?? null, nativeTools: nativeTools ?? null, images: images ?? null, kind }
}
