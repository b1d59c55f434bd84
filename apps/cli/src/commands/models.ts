import { discover, type DiscoveredModel } from '@loader/backends'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import type { ModelsOutput } from '../schemas/models.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { table } from '../tables/table.ts'

/** Lists the available models and their capabilities. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const { environment } = console
  const { settings } = loadSettings(placesOf(given, console), { environment })
  const servers = await discover({ variables: environment })
  const output: ModelsOutput = {
    chosen: settings.model ?? null,
    servers: servers.map(({ kind, title, origin, models }) => ({ kind, title, origin, models: models.map(listed) })),
    clouds: clouds.map(({ provider, keyVariable }) => ({
      provider,
      keyVariable,
      hasKey: Boolean(environment[keyVariable]),
    })),
  }
  if (given.has('json')) printJson(console, output)
  else printLines(console, modelLines(output, { width: columnsOf(console), paint: paintFor(given, console) }))
  return 'ok'
}

const clouds = [
  { provider: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY' },
  { provider: 'openai', keyVariable: 'OPENAI_API_KEY' },
  { provider: 'google', keyVariable: 'GEMINI_API_KEY' },
]

type Listed = ModelsOutput['servers'][number]['models'][number]

function listed({ name, nativeTools, contextWindow, largestWindow, loaded, warnings }: DiscoveredModel): Listed {
  return {
    name,
    nativeTools: nativeTools ?? null,
    contextWindow: contextWindow ?? null,
    largestWindow: largestWindow ?? null,
    loaded: loaded ?? null,
    warnings: [...warnings],
  }
}

function modelLines(
  { chosen, servers, clouds: known }: ModelsOutput,
  options: { width: number; paint: Paint },
): string[] {
  const head =
    chosen === null ? 'No model is chosen: give one with -m, or set "model".' : `Chosen: ${inOneLine(chosen)}`
  const none = ['', 'No model server answers on this machine.']
  const keys = known.map(({ provider, keyVariable, hasKey }) => {
    return `${`${provider}/<model>`.padEnd(19)}${hasKey ? 'has a key' : `needs a key: set ${keyVariable}`}`
  })
  return [
    head,
    ...(servers.length === 0 ? none : servers.flatMap((server) => ['', ...serverLines(server, options)])),
    '',
    ...keys,
  ]
}

function serverLines(
  { title, origin, models }: ModelsOutput['servers'][number],
  options: { width: number; paint: Paint },
): string[] {
  const { width, paint } = options
  const head = paint('bold', `${title} at ${inOneLine(origin)}`)
  if (models.length === 0) return [`${head} has no models`]
  const warnings = models.flatMap((model) => model.warnings.map((warning) => `${model.name}: ${warning}`))
  return [
    head,
    ...table<Listed>(
      models,
      [
        { head: 'model', flexible: true, cell: ({ name }) => inOneLine(name) },
        { head: 'tools', cell: ({ nativeTools }) => (nativeTools === null ? '?' : nativeTools ? 'yes' : 'no') },
        {
          head: 'window',
          align: 'right',
          cell: ({ contextWindow, largestWindow }) => amount(contextWindow ?? largestWindow),
        },
        { head: 'loaded', cell: ({ loaded }) => (loaded ? 'yes' : '') },
      ],
      options,
    ),
    ...warnings.flatMap((warning) => wrap(`! ${inOneLine(warning)}`, width).map((line) => paint('yellow', line))),
  ]
}

function amount(tokens: number | null): string {
  return tokens === null ? '?' : String(tokens)
}
