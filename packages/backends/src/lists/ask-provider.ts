import { BackendError, LoaderError, type Signal } from '@loader/session-core'
import { connectionTo, type OpenConnection, placeOf } from '../connection/connection.ts'
import type { BackendOptions } from '../connection/provider-settings.ts'
import { type Failing, failure, reportedFailure } from '../failures/failure.ts'
import { errorInBody } from '../failures/reported-error.ts'
import { deadline } from '../http/deadline.ts'
import { jsonIn } from '../platform/json-text.ts'
import { eitherSignal } from '../platform/signal.ts'
import { addressOf } from '../providers/address.ts'
import { knownProvider, type ProviderApi } from '../model/known-providers.ts'

/** How providers are asked about themselves. */
export interface AskOptions extends Omit<BackendOptions, 'providers' | 'timeOuts'> {
  /** Providers by name, next to those that are known. */
  readonly providers?: BackendOptions['providers']
  /** Default: 5 s. */
  readonly timeoutMs?: number
  readonly signal?: Signal
}

/** What a provider answered, or why it did not. */
type Asked =
  | { readonly state: 'answered'; readonly answer: unknown }
  | { readonly state: 'failed'; readonly kind: string; readonly message: string }

/** A provider to ask, over a connection of its own. */
export interface Asking {
  readonly hasKey: boolean
  /** Asks for what lies at this path behind its address. */
  readonly ask: (path: string) => Promise<Asked>
}

/** The interface and the settings of a provider; undefined when it is not known. */
export function settingsOf(provider: string, { providers = {} }: AskOptions) {
  const own = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  const api = own?.api ?? knownProvider(provider)?.api
  return api === undefined ? undefined : { ...own, api }
}

/** Where the list of models is. A provider under a name of the caller's choice has that of its interface. */
export function listPath(name: string, api: ProviderApi): string | undefined {
  const known = knownProvider(name)
  if (known !== undefined) return known.modelsPath
  return api === 'openai-compatible' ? '/models' : knownProvider(api)?.modelsPath
}

/** Opens a connection to a provider. Errors in its settings are answers as well. */
export async function asking(provider: string, options: AskOptions): Promise<Asking> {
  const { timeoutMs = 5_000, signal, providers: _providers, settingsFile: _file, ...connection } = options
  const settings = settingsOf(provider, options)
  if (settings === undefined) throw new LoaderError('invalid_config', `There is no provider ${provider}.`)
  const all = { ...connection, ...settings, provider, model: '', id: provider }
  const reached = connectionTo(placeOf(settings.api, all), all)
  const opened = await reached.open()
  const silence = () => failure(opened.failing, 'connection', `sent nothing for ${timeoutMs / 1000} s.`)
  return {
    hasKey: opened.key !== undefined,
    async ask(path) {
      try {
        const address = addressOf(settings.api, all, reached.variables)
        const ended = eitherSignal(deadline(timeoutMs, silence), signal)
        return {
          state: 'answered',
          answer: await answerOf(`${address}${path}`, headersFor(settings.api, opened, all), ended, opened),
        }
      } catch (error) {
        if (error instanceof BackendError) return { state: 'failed', ...error.failure }
        if (LoaderError.is(error)) return { state: 'failed', kind: error.code, message: error.message }
        throw error
      }
    },
  }
}

async function answerOf(
  url: string,
  headers: { readonly [name: string]: string },
  signal: Signal,
  { transport, failing }: OpenConnection,
): Promise<unknown> {
  const response = await transport(url, { headers, signal })
  const text = await response.text()
  if (!response.ok) {
    const { status, headers: said } = response
    throw reportedFailure(failing, errorInBody(text), { status, headerOf: (name) => said.get(name) })
  }
  const answer = jsonIn(text)
  if (answer === undefined) throw noJson(failing)
  return answer
}

function noJson(failing: Failing): BackendError {
  return failure(failing, 'other', 'answered with something that is no JSON. Check its address.')
}

function headersFor(
  api: ProviderApi,
  { key }: OpenConnection,
  { headers }: Pick<BackendOptions, 'headers'>,
): { readonly [name: string]: string } {
  return { accept: 'application/json', ...(key !== undefined && keyHeaders(api, key)), ...headers }
}

/** The form in which each interface takes its key. */
function keyHeaders(api: ProviderApi, key: string): { readonly [name: string]: string } {
  switch (api) {
    case 'anthropic':
      return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    case 'google':
      return { 'x-goog-api-key': key }
    case 'azure':
      return { 'api-key': key }
    default:
      return { authorization: `Bearer ${key}` }
  }
}
