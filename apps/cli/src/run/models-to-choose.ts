import {
  discover,
  type DiscoveredModel,
  type DiscoveredServer,
  type ListedModel,
  listModels,
  modelFacts,
} from '@loader/backends'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { connectionOf } from './connection-of.ts'

/** A provider that has a key, with its models or with the reason why it lists none. */
export interface CloudToChoose {
  readonly name: string
  readonly title: string
  readonly models: readonly ListedModel[]
  readonly problem: string | undefined
}

/** What a user without a model can choose from. */
export interface ModelsToChoose {
  readonly servers: readonly DiscoveredServer[]
  readonly clouds: readonly CloudToChoose[]
  /** The one to suggest. */
  readonly best: string | undefined
}

/** A first start should not wait long for a cloud that does not answer. */
const patienceMs = 4_000

/** The models on this machine, and those of every provider that has a key. */
export async function modelsToChoose(console: Console, places: Places): Promise<ModelsToChoose> {
  const { environment } = console
  const { settings } = loadSettings(places, { environment })
  const [servers, listed] = await Promise.all([
    discover({ variables: environment }),
    listModels({ ...connectionOf(settings, console, places), timeoutMs: patienceMs, published: modelFacts }),
  ])
  const clouds = listed
    .filter(({ state }) => state === 'listed' || state === 'failed')
    .map(({ name, title, models, problem }) => ({ name, title, models, problem: problem?.message }))
  return { servers, clouds, best: bestLocal(servers) ?? bestOf(clouds) }
}

/** What is on this machine costs nothing. */
function bestLocal(servers: readonly DiscoveredServer[]): string | undefined {
  const models = servers.flatMap((server) => server.models)
  return models.toSorted((one, other) => faultsOf(one) - faultsOf(other))[0]?.name
}

function faultsOf({ nativeTools, warnings }: DiscoveredModel): number {
  return (nativeTools === false ? 100 : 0) + warnings.length
}

/** The smallest window in which an agent has room. Models with less are not recommended. */
const roomyWindow = 32_768

/** The newest that calls tools and has a roomy window, as far as that is known. */
function bestOf(clouds: readonly CloudToChoose[]): string | undefined {
  const able = ({ nativeTools, contextWindow = roomyWindow }: ListedModel) =>
    nativeTools !== false && contextWindow >= roomyWindow
  return clouds.flatMap(({ models }) => models).find(able)?.name
}
