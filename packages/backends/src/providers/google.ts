import { type Backend, BackendError, JsonObject, type ThinkingLevel } from '@loader/session-core'
import * as z from 'zod/mini'
import type { ProviderOptions } from '../ai-sdk/call-options.ts'
import { languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import { ownThoughts } from '../ai-sdk/own-thoughts.ts'
import { type ConnectionOptions, connectionTo, type OpenConnection, placeOf } from '../connection/connection.ts'
import { tokens } from '../discover/served-model.ts'
import { asFetch } from '../http/as-fetch.ts'
import { deadline } from '../http/deadline.ts'
import { cannotThink } from '../model/cannot-think.ts'
import { capabilitiesOf } from '../model/capabilities.ts'
import { jsonIn } from '../platform/json-text.ts'
import { latest } from '../platform/latest.ts'
import { lazy } from '../platform/lazy.ts'
import { once } from '../platform/once.ts'
import { failure } from '../failures/failure.ts'
import { addressOf } from './address.ts'
import { geminiTakes } from './gemini-takes.ts'
import { loadPeer } from './load-peer.ts'
import { requireKey } from './require-key.ts'
import { isThoughtOfGoogle, withSignature } from './thought-signatures.ts'

export interface GoogleOptions extends ConnectionOptions {
  readonly model: string
}

const packageName = '@ai-sdk/google'
const patienceMs = 10_000

/** What every current model has at least. */
const window = 128_000

/** What Google says of a model. */
const Model = lazy(() => z.looseObject({ inputTokenLimit: tokens() }))

/** The Gemini models of Google, through `@ai-sdk/google`. */
export function google(options: GoogleOptions): Backend {
  const { model, capabilities } = options
  const place = placeOf('google', options)
  const { id } = place
  const connection = connectionTo(place, options)
  const load = () => loadPeer(packageName, () => import('@ai-sdk/google'), id)
  const address = () => addressOf('google', options, connection.variables)
  const makeModel = once(async () => {
    const { createGoogle } = await load()
    return latest(({ transport, key, failing }: OpenConnection) => {
      const headers = options.headers && { headers: { ...options.headers } }
      const apiKey = requireKey(key, failing)
      return createGoogle({ baseURL: address(), apiKey, fetch: asFetch(transport), ...headers })(model)
    })
  })
  return languageModelBackend({
    id,
    cannotThink: cannotThink('google', model),
    providerOptions: ({ thinking }) => withThoughts(options.providerOptions, thinking),
    prepare: (message) => withSignature(ownThoughts(message, isThoughtOfGoogle), model),
    async open() {
      const modelOver = await makeModel()
      const opened = await connection.open()
      return { model: modelOver(opened), failing: opened.failing }
    },
    async describe() {
      await load()
      const told = options.contextWindow ?? (await toldWindow(`${address()}/models/${model}`, await connection.open()))
      const notes = told === undefined ? [`a window of ${window} tokens is assumed`] : []
      return capabilitiesOf(
        { id, nativeTools: true, contextWindow: told ?? window, notes, ...geminiTakes(model) },
        capabilities,
      )
    },
  })
}

/** What Google says of the model; nothing when it cannot be reached, which the first request tells better. */
async function toldWindow(address: string, { transport, key, failing }: OpenConnection): Promise<number | undefined> {
  if (key === undefined) return undefined
  const silence = () => failure(failing, 'connection', `said nothing about itself for ${patienceMs / 1000} s.`)
  const signal = deadline(patienceMs, silence)
  try {
    const response = await transport(address, { headers: { 'x-goog-api-key': key }, signal })
    return Model().safeParse(jsonIn(await response.text())).data?.inputTokenLimit
  } catch (error) {
    if (error instanceof BackendError) return undefined
    throw error
  }
}

/** Thoughts are told only to those who ask for them. */
function withThoughts(
  options: ProviderOptions | undefined,
  thinking: ThinkingLevel | undefined,
): ProviderOptions | undefined {
  if (thinking === undefined || thinking === 'off') return options
  const given = JsonObject.safeParse(options?.['google']?.['thinkingConfig']).data
  return { ...options, google: { ...options?.['google'], thinkingConfig: { includeThoughts: true, ...given } } }
}
