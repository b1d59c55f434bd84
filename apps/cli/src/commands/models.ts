import {
  discover,
  type DiscoveredModel,
  knownProviders,
  type ListedProvider,
  listModels,
  modelFacts,
} from '@loader/backends'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { providerNamed } from '../keys/provider-named.ts'
import { placesOf } from '../places/places.ts'
import { connectionOf } from '../run/connection-of.ts'
import type { ModelsOutput } from '../schemas/models.ts'
import { paintFor } from '../screen/paint.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { modelLines } from '../views/models-lines.ts'

/** Lists the models that can be reached: on this machine, and from every provider that has a key. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { environment } = console
  const places = placesOf(given, console)
  const { settings } = loadSettings(places, { environment })
  if (given.words.length > 1) throw new UsageError('loader models takes the name of one provider.', 'models')
  const only = given.words.length === 0 ? undefined : providerNamed(given, settings).name
  const connection = connectionOf(settings, console, places)
  const [servers, clouds] = await Promise.all([
    discover({ variables: environment }),
    listModels({ ...connection, published: modelFacts, ...(only !== undefined && { only: [only] }) }),
  ])
  const output: ModelsOutput = {
    chosen: settings.model ?? null,
    servers: servers
      .filter(({ kind }) => only === undefined || kind === only)
      .map(({ kind, title, origin, models }) => ({ kind, title, origin, models: models.map(listed) })),
    // What is found on this machine has no list besides.
    clouds: clouds.filter(({ name }) => !servers.some(({ kind }) => kind === name)).map(cloudOf),
  }
  if (given.has('json')) printJson(console, output)
  else
    printLines(
      console,
      modelLines(output, { width: columnsOf(console), paint: paintFor(given, console), only: only ?? null }),
    )
  return only !== undefined && clouds.some(({ state }) => state === 'failed') ? 'failure' : 'ok'
}

function cloudOf({ name, title, state, problem, models }: ListedProvider): ModelsOutput['clouds'][number] {
  const known = knownProviders.find((provider) => provider.name === name)
  return {
    provider: name,
    title,
    keyVariable: known?.keyVariables[0] ?? '',
    hasKey: state === 'listed' || state === 'failed',
    state,
    problem: problem?.message ?? null,
    tested: known?.tested ?? null,
    models: models.map(({ name: model, contextWindow, nativeTools, images, thinking }) => ({
      name: model,
      contextWindow: contextWindow ?? null,
      nativeTools: nativeTools ?? null,
      images: images ?? null,
      thinking: thinking ?? null,
    })),
  }
}

function listed({
  name,
  nativeTools,
  contextWindow,
  largestWindow,
  loaded,
  warnings,
}: DiscoveredModel): ModelsOutput['servers'][number]['models'][number] {
  return {
    name,
    nativeTools: nativeTools ?? null,
    contextWindow: contextWindow ?? null,
    largestWindow: largestWindow ?? null,
    loaded: loaded ?? null,
    warnings: [...warnings],
  }
}
