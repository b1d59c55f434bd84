import { LoaderError } from '@loader/session-core'
import { join } from 'node:path'
import type { DiscoveredServer } from '@loader/backends'
import { inOneLine } from '@loader/readings'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import type { CloudToChoose } from './models-to-choose.ts'

const mostModels = 8

/**
 * The error of a first run without a model: what was found on this machine and with the keys that there are, one
 * suggestion, and how to try Loader without a model.
 */
export async function noModel(console: Console, places: Places): Promise<LoaderError> {
  const { modelsToChoose } = await import('./models-to-choose.ts')
  const { servers, clouds, best } = await modelsToChoose(console, places)
  const found = [
    ...(servers.length === 0 ? ['No model server answers on this machine.'] : servers.flatMap(serverLines)),
    ...clouds.flatMap(cloudLines),
  ]
  const lines = [
    'No model was chosen yet.',
    '',
    ...found.map((line) => `  ${line}`),
    '',
    ...(best === undefined ? adviceWithout : adviceFor(inOneLine(best), join(places.config, 'settings.json'))),
    'Without one:  loader demo',
  ]
  return new LoaderError('invalid_config', lines.join('\n'))
}

function serverLines({ kind, title, origin, models }: DiscoveredServer): string[] {
  return [
    `${title} at ${origin}${models.length === 0 ? ' has no models' : ''}`,
    ...modelLines(models),
    ...moreThan(models, kind),
  ]
}

function cloudLines({ name, title, models, problem }: CloudToChoose): string[] {
  if (problem !== undefined) return [`${title}, which has a key`, ...problem.split('\n').map((line) => `  ${line}`)]
  return [
    `${title}, which has a key${models.length === 0 ? ', lists no models' : ''}`,
    ...modelLines(models),
    ...moreThan(models, name),
  ]
}

interface ToShow {
  readonly name: string
  readonly nativeTools?: boolean
}

function modelLines(models: readonly ToShow[]): string[] {
  return models.slice(0, mostModels).map((model) => `  ${inOneLine(model.name)}${toolsOf(model)}`)
}

function moreThan(models: readonly ToShow[], provider: string): string[] {
  const more = models.length - mostModels
  return more > 0 ? [`  and ${more} more: loader models ${provider}`] : []
}

function toolsOf({ nativeTools }: ToShow): string {
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
  'Or a cloud:   loader login anthropic, or another one, then: loader models',
]
