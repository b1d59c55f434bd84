import { type Backend, BackendError } from '@loader/session-core'
import * as z from 'zod'
import { languageModelBackend } from '../ai-sdk/language-model-backend.ts'
import { ownThoughts } from '../ai-sdk/own-thoughts.ts'
import { type ConnectionOptions, connectionTo, type OpenConnection } from '../connection/connection.ts'
import { tokens } from '../discover/served-model.ts'
import { asFetch } from '../http/as-fetch.ts'
import { deadline } from '../http/deadline.ts'
import { capabilitiesOf } from '../model/capabilities.ts'
import { jsonIn } from '../platform/json-text.ts'
import { latest } from '../platform/latest.ts'
import { lazy } from '../platform/lazy.ts'
import { once } from '../platform/once.ts'
import { systemVariables } from '../platform/variables.ts'
import { failure } from '../failures/failure.ts'
import { loadPeer } from './load-peer.ts'
import { requireKey } from './require-key.ts'
import { isThoughtOfGoogle, withSignature } from './thought-signatures.ts'

export interface GoogleOptions extends ConnectionOptions {
  readonly model: string
}

const packageName = '@ai-sdk/google'
const publicAddress = 'https://generativelanguage.googleapis.com'
const patienceMs = 10_000

/** What every current model has at least. */
const window = 128_000

/** What Google says of a model. */
const Model = lazy(() => z.looseObject({ inputTokenLimit: tokens() }))

/** The Gemini models of Google, through `@ai-sdk/google`. */
export function google(options: GoogleOptions): Backend {
  const { model, id = `google/${model}`, capabilities } = options
  const connection = connectionTo({ id, provider: 'google', keyVariable: keyVariable(options) }, options)
  const load = () => loadPeer(packageName, () => import('@ai-sdk/google'), id)
  const address = () => withVersion(options.baseUrl ?? connection.variables['GOOGLE_GEMINI_BASE_URL'] ?? publicAddress)
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
    providerOptions: () => options.providerOptions,
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
      return capabilitiesOf({ id, nativeTools: true, contextWindow: told ?? window, notes }, capabilities)
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

/** Google's own clients know two names for the key, and the AI SDK a third; the first that is set is taken. */
function keyVariable({ variables = systemVariables() }: GoogleOptions): string {
  const names = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] as const
  return names.find((name) => variables[name]?.trim()) ?? names[0]
}

/** Google's own clients put the version behind the address themselves. */
function withVersion(address: string): string {
  const plain = address.replace(/\/+$/, '')
  return /\/v1(alpha|beta)?$/.test(plain) ? plain : `${plain}/v1beta`
}
