import { LoaderError } from '@loader/session-core'
import { join } from 'node:path'
import type { DiscoveredModel, DiscoveredServer } from '@loader/backends'
import { inOneLine } from '@loader/readings'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'

const mostModels = 8

/**
 * The error of a first run without a model: what was found on this machine, one suggestion, and how to try Loader
 * without a model.
 */
export async function noModel({ environment }: Console, { config }: Places): Promise<LoaderError> {
  const { discover } = await import('@loader/backends')
  const servers = await discover({ variables: environment })
  const [best] = servers.flatMap(({ models }) => models).toSorted((one, other) => faultsOf(one) - faultsOf(other))
  const found = servers.length === 0 ? ['No model server answers on this machine.'] : servers.flatMap(serverLines)
  const lines = [
    'No model was chosen yet.',
    '',
    ...found.map((line) => `  ${line}`),
    '',
    ...(best === undefined ? adviceWithout : adviceFor(inOneLine(best.name), join(config, 'settings.json'))),
    'Without one:  loader demo',
  ]
  return new LoaderError('invalid_config', lines.join('\n'))
}

function faultsOf({ nativeTools, warnings }: DiscoveredModel): number {
  return (nativeTools === false ? 100 : 0) + warnings.length
}

function serverLines({ title, origin, models }: DiscoveredServer): string[] {
  const more = models.length - mostModels
  return [
    `${title} at ${origin}${models.length === 0 ? ' has no models' : ''}`,
    ...models.slice(0, mostModels).map((model) => `  ${inOneLine(model.name)}${toolsOf(model)}`),
    ...(more > 0 ? [`  and ${more} more: loader models`] : []),
  ]
}

function toolsOf({ nativeTools }: DiscoveredModel): string {
  if (nativeTools === undefined) return ''
  return nativeTools ? '  calls tools' : '  cannot call tools by itself'
}

function adviceFor(name: string, settings: string): string[] {
  return [
    `Try:          loader -m ${name} "what to do"`,
    `To keep it:   put { "model": ${JSON.stringify(name)} } into ${settings}`,
  ]
}

const adviceWithout = [
  'Get one:      https://ollama.com, then: ollama pull qwen3:8b',
  'Or a cloud:   export ANTHROPIC_API_KEY=..., then: loader -m anthropic/<model> "what to do"',
]
