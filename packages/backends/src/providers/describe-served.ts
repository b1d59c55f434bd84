import type { ModelCapabilities } from '@loader/session-core'
import * as z from 'zod'
import { type ServedModel, type ServerKind, tokens } from '../discover/served-model.ts'
import { serverKinds } from '../discover/server-kinds.ts'
import { type Failing, failure } from '../failures/failure.ts'
import { type Ask, asking } from '../http/ask.ts'
import { deadline } from '../http/deadline.ts'
import type { Transport } from '../http/transport.ts'
import { capabilitiesOf, cautiousWindow, smallWindow } from '../model/capabilities.ts'
import { jsonIn } from '../platform/json-text.ts'

const patienceMs = 10_000

/** Where clouds write the window of a model. */
const Models = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      max_model_len: tokens,
      context_length: tokens,
      context_window: tokens,
      max_context_length: tokens,
    }),
  ),
})

export interface Server {
  readonly transport: Transport
  readonly headers: { readonly [name: string]: string }
  readonly failing: Failing
}

export interface Served {
  readonly baseUrl: string
  readonly model: string
  readonly contextWindow?: number
  readonly capabilities?: Partial<ModelCapabilities>
}

/** What a server with OpenAI's interface says of a model, in the first place that tells. */
export async function describeServed(server: Server, served: Served): Promise<ModelCapabilities> {
  const { id } = server.failing
  const { contextWindow, capabilities } = served
  const allKnown = contextWindow !== undefined && capabilities?.nativeTools !== undefined
  const found: Found = allKnown ? {} : await find(server, served)
  const told = contextWindow ?? windowOf(found)
  const remedy = found.kind?.remedy ?? 'give it a larger one where it is started'
  const notes = [
    told === undefined ? `the server does not tell its window; ${cautiousWindow} tokens are assumed` : undefined,
    found.model?.nativeTools === undefined && !allKnown ? 'it is assumed to call tools' : undefined,
    smallWindow(told, remedy),
  ].filter((note) => note !== undefined)
  const nativeTools = found.model?.nativeTools ?? true
  return capabilitiesOf({ id, nativeTools, contextWindow: told ?? cautiousWindow, notes }, capabilities)
}

interface Found {
  readonly model?: ServedModel | undefined
  readonly kind?: ServerKind
}

function windowOf({ model, kind }: Found): number | undefined {
  return model?.contextWindow ?? (model && kind?.unloadedWindow)
}

async function find({ transport, headers, failing }: Server, { baseUrl, model }: Served): Promise<Found> {
  const silence = () => failure(failing, 'connection', `said nothing about itself for ${patienceMs / 1000} s.`)
  const signal = deadline(patienceMs, silence)
  // A server that cannot be reached is an error; one that answers with anything else just does not tell.
  const response = await transport(`${baseUrl.replace(/\/+$/, '')}/models`, { headers, signal })
  const listed = Models.safeParse(jsonIn(await response.text())).data?.data.find((one) => one.id === model)
  const { max_model_len, context_length, context_window, max_context_length } = listed ?? {}
  const contextWindow = max_model_len ?? context_length ?? context_window ?? max_context_length
  if (contextWindow !== undefined) return { model: { id: model, contextWindow } }
  return askKinds(baseUrl.replace(/(\/v1)?\/*$/, ''), asking({ transport, headers, signal }), model)
}

async function askKinds(origin: string, ask: Ask, model: string): Promise<Found> {
  const answers = serverKinds.map(async (kind): Promise<Found> => {
    const models = await kind.list(origin, ask, model)
    return models === undefined ? {} : { model: models[0], kind }
  })
  return (await Promise.all(answers)).find(({ kind }) => kind !== undefined) ?? {}
}
