import type { JsonObject, ModelCapabilities } from '@loader/session-core'
import type { Failing } from '../failures/failure.ts'
import type { Fetch } from '../http/fetch.ts'
import { guarded, type TimeOuts, usualTimeOuts } from '../http/guarded.ts'
import { nodeTransport } from '../http/node-transport.ts'
import type { Transport } from '../http/transport.ts'
import { systemVariables, type Variables } from '../platform/variables.ts'
import { keyVariablesOf, knownProvider } from '../model/known-providers.ts'
import { findKey, keyAdvice, type KeptKey, type KeyPlaces } from './credentials.ts'

/** How a model is reached; the same for all providers. */
export interface ConnectionOptions {
  /** The name of the model in sessions; by default its provider and its name: `anthropic/claude-…`. */
  readonly id?: string
  /** The name of the provider, under which its key is kept; by default that of the interface: `anthropic`. */
  readonly provider?: string
  /** The variable with its key, instead of the usual ones: `GROQ_API_KEY` for a provider called `groq`. */
  readonly apiKeyVariable?: string
  /** The address of the server, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl?: string
  /** By default from the environment, otherwise from the credential file. */
  readonly apiKey?: string
  /** A file that only its owner can read (mode 0600), such as `{ "anthropic": "sk-…" }`. */
  readonly credentialFile?: string
  /** Finds the key of a provider that neither the environment nor the file has: in a keyring, say. */
  readonly keptKey?: KeptKey
  /** The command that keeps keys, such as `loader login`; messages about keys name it. */
  readonly loginCommand?: string
  /**
   * A file that caches facts about models between programs, so that a known server is not queried before the first
   * request. Absent: no cache. It contains no secret and may be removed at any time.
   */
  readonly knownModelsFile?: string
  readonly headers?: { readonly [name: string]: string }
  /** Replaces our own client, which uses the proxy that the environment names. */
  readonly fetch?: Fetch
  /** Replaces the variables of this process. */
  readonly variables?: Variables
  readonly timeOuts?: TimeOuts
  /** In tokens, if known better than the server reports it. */
  readonly contextWindow?: number
  /** Known capabilities of the model; they take precedence over detected ones. */
  readonly capabilities?: Partial<ModelCapabilities>
  /** Options sent with every request, by provider, such as `{ anthropic: { effort: 'high' } }`. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
  /** The time in milliseconds. */
  readonly now?: () => number
}

export interface Connection {
  readonly variables: Variables
  readonly now: () => number
  /** Opens a connection for one request or query; the same one as long as the key is. */
  open(): Promise<OpenConnection>
}

export interface OpenConnection {
  readonly transport: Transport
  readonly key: string | undefined
  readonly failing: Failing
}

export interface Place {
  /** `provider/id` */
  readonly id: string
  /** The names of the provider where keys are kept. */
  readonly names: readonly string[]
  readonly keyVariables: readonly string[]
}

/**
 * Where the key of a model is looked for. A provider of the table has keys of its own: that of OpenAI must not be sent
 * to another one with the same interface. Under a name of the caller's choice, the usual key of the interface counts too.
 */
export function placeOf(api: string, options: ConnectionOptions & { readonly model: string }): Place {
  const { provider = api, model, id = `${provider}/${model}`, apiKeyVariable } = options
  const names = knownProvider(provider) === undefined ? [...new Set([provider, api])] : [provider]
  return { id, names, keyVariables: apiKeyVariable === undefined ? names.flatMap(keyVariablesOf) : [apiKeyVariable] }
}

export function connectionTo({ id, names, keyVariables }: Place, options: ConnectionOptions): Connection {
  const { variables = systemVariables(), now = Date.now, apiKey, credentialFile, baseUrl = '' } = options
  const { keptKey, loginCommand } = options
  const transport = options.fetch ?? nodeTransport(variables)
  const timeOuts = { ...usualTimeOuts, ...options.timeOuts }
  const places: KeyPlaces = { names, apiKey, keyVariables, variables, credentialFile, keptKey, loginCommand }
  const openWith = (key: string | undefined): OpenConnection => {
    const secrets = [key ?? '', ...secretsIn(baseUrl), ...secretHeaders(options.headers)]
    const failing = { id, secrets, now, keyAdvice: keyAdvice(places) }
    return { transport: guarded(transport, timeOuts, failing), key, failing }
  }
  let opened: OpenConnection | undefined
  return {
    variables,
    now,
    async open() {
      const key = await findKey(places)
      if (opened === undefined || opened.key !== key) opened = openWith(key)
      return opened
    },
  }
}

/** A URL may contain a password. */
function secretsIn(baseUrl: string): string[] {
  if (!URL.canParse(baseUrl)) return []
  const { password, username } = new URL(baseUrl)
  return [password, username].filter((part) => part !== '')
}

function secretHeaders(headers: ConnectionOptions['headers'] = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (/auth|key|token|cookie/i.test(name) ? [value] : []))
}
