import type { Signal } from '@loader/session-core'
import { asking } from '../http/ask.ts'
import type { Fetch } from '../http/fetch.ts'
import { guarded } from '../http/guarded.ts'
import { nodeTransport } from '../http/node-transport.ts'
import { smallWindow } from '../model/capabilities.ts'
import { eitherSignal, unlessAborted } from '../platform/signal.ts'
import { systemVariables, type Variables } from '../platform/variables.ts'
import { ollamaOrigin } from './ollama-origin.ts'
import type { ServedModel, ServerKind } from './served-model.ts'
import { serverKinds } from './server-kinds.ts'

/** Where `discover` looks for model servers, and how long it waits. */
export interface DiscoverOptions {
  /** Servers that do not answer in time are treated as absent. Default: 3 s; a closed port is known at once. */
  readonly timeoutMs?: number
  /** The servers to try, instead of the usual ports of this machine. */
  readonly servers?: readonly ServerPlace[]
  readonly fetch?: Fetch
  readonly variables?: Variables
  readonly signal?: Signal
}

/** The address of a model server to look at. */
export interface ServerPlace {
  readonly kind: ServerKind['name']
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string
}

/** A model server that answered, with the models that it has. */
export interface DiscoveredServer {
  readonly kind: ServerKind['name']
  /** The name for people. */
  readonly title: string
  readonly origin: string
  readonly models: readonly DiscoveredModel[]
}

/** A usable model, with warnings about what could make it unfit for an agent. */
export interface DiscoveredModel extends ServedModel {
  /** `provider/id`, as `backendFor` takes it. */
  readonly name: string
  /** What stands in the way of using it for an agent, and what to do about it. */
  readonly warnings: readonly string[]
}

/** Used for error messages that are never shown: here a server that fails counts as absent. */
const nobody = { id: 'local server', secrets: [], now: Date.now }

/** The model servers on this machine, with the models that they report. */
export async function discover(options: DiscoverOptions = {}): Promise<DiscoveredServer[]> {
  const { timeoutMs = 3_000, variables = systemVariables(), fetch = nodeTransport(variables), signal } = options
  const { servers = usualPlaces(variables) } = options
  // Leaves time to assemble the result within the limit.
  const deadline = AbortSignal.timeout(Math.floor(timeoutMs * 0.9))
  const transport = guarded(fetch, { firstByteMs: timeoutMs, betweenChunksMs: timeoutMs }, nobody)
  const ask = asking({ transport, signal: eitherSignal(deadline, signal) })
  const found = servers.map(async ({ kind: name, origin }) => {
    const kind = serverKinds.find((one) => one.name === name)
    const models = await kind?.list(origin, ask)
    return kind && models ? [discovered(kind, origin, models)] : []
  })
  return (await unlessAborted(Promise.all(found), signal)).flat()
}

function usualPlaces(variables: Variables): ServerPlace[] {
  return serverKinds.map(({ name, port }) => ({
    kind: name,
    origin: name === 'ollama' ? ollamaOrigin(variables) : `http://127.0.0.1:${port}`,
  }))
}

function discovered(kind: ServerKind, origin: string, models: readonly ServedModel[]): DiscoveredServer {
  const { name, title } = kind
  return {
    kind: name,
    title,
    origin,
    models: models.map((model) => ({ ...model, name: `${name}/${model.id}`, warnings: warningsOf(kind, model) })),
  }
}

function warningsOf(
  { remedy }: ServerKind,
  { contextWindow, largestWindow, nativeTools }: ServedModel,
): readonly string[] {
  const small = smallWindow(largestWindow, 'it was not made for more; take another model')
  return [
    small ?? smallWindow(contextWindow, remedy),
    nativeTools === false ? 'it does not call tools by itself; calls are read out of its text' : undefined,
  ].filter((warning) => warning !== undefined)
}
