import { inOneLine } from '@loader/readings'
import type { ModelsOutput } from '../schemas/models.ts'
import type { Paint } from '../screen/paint.ts'
import { widthOf, wrap } from '../screen/width.ts'
import { table } from '../tables/table.ts'

interface Options {
  readonly width: number
  readonly paint: Paint
  /** The provider that was asked for; null for all. */
  readonly only: string | null
}

type Server = ModelsOutput['servers'][number]
type Cloud = ModelsOutput['clouds'][number]

/** Beside those of other providers; asked for alone, all are shown. */
const mostModels = 12

/** The models that can be reached, and what is missing for others. */
export function modelLines({ chosen, servers, clouds }: ModelsOutput, options: Options): string[] {
  const { only, width } = options
  const head =
    chosen === null ? 'No model is chosen: give one with -m, or set "model".' : `Chosen: ${inOneLine(chosen)}`
  const none = only === null ? ['', 'No model server answers on this machine.'] : []
  const [asked, others] = [clouds.filter(isAsked), clouds.filter((cloud) => !isAsked(cloud))]
  return [
    ...(only === null ? wrap(head, width) : []),
    ...(servers.length === 0 ? none : servers.flatMap((server) => ['', ...serverLines(server, options)])),
    ...asked.flatMap((cloud) => ['', ...cloudLines(cloud, options)]),
    ...missing(others, options),
  ].slice(only === null ? 0 : 1)
}

function isAsked({ state }: Cloud): boolean {
  return state === 'listed' || state === 'failed'
}

function serverLines({ title, origin, models }: Server, options: Options): string[] {
  const { width, paint } = options
  const head = paint('bold', `${title} at ${inOneLine(origin)}`)
  if (models.length === 0) return [`${head} has no models`]
  const warnings = models.flatMap((model) => model.warnings.map((warning) => `${model.name}: ${warning}`))
  return [
    head,
    ...table<Server['models'][number]>(
      models,
      [
        { head: 'model', flexible: true, cell: ({ name }) => inOneLine(name) },
        { head: 'tools', cell: ({ nativeTools }) => yesOrNo(nativeTools) },
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

function cloudLines({ title, provider, models, problem }: Cloud, options: Options): string[] {
  const { width, paint, only } = options
  const head = paint('bold', title)
  if (problem !== null) {
    const [first = '', ...advice] = problem.split('\n').map(inOneLine)
    return [
      head,
      ...wrap(`! ${first}`, width).map((line) => paint('yellow', line)),
      ...advice.flatMap((line) => wrap(`  ${line}`, width)),
    ]
  }
  if (models.length === 0) return [`${head} lists no models`]
  const shown = only === null ? models.slice(0, mostModels) : models
  const more = models.length - shown.length
  return [head, ...cloudModels(shown, options), ...(more > 0 ? [`and ${more} more: loader models ${provider}`] : [])]
}

type CloudModel = Cloud['models'][number]

/** A table, unless a name would be cut in it: people copy names. */
function cloudModels(models: readonly CloudModel[], options: Options): string[] {
  const { width, paint } = options
  const longest = Math.max(...models.map(({ name }) => widthOf(inOneLine(name))))
  if (longest + factsWidth <= width) {
    return table<CloudModel>(
      models,
      [
        { head: 'model', flexible: true, cell: ({ name }) => inOneLine(name) },
        { head: 'tools', cell: ({ nativeTools }) => yesOrNo(nativeTools) },
        { head: 'images', cell: ({ images }) => yesOrNo(images) },
        { head: 'thinks', cell: ({ thinking }) => yesOrNo(thinking) },
        { head: 'window', align: 'right', cell: ({ contextWindow }) => amount(contextWindow) },
      ],
      options,
    )
  }
  return models.flatMap((model) => {
    const facts = factsOf(model)
    return [...wrap(inOneLine(model.name), width), ...(facts === '' ? [] : [paint('dim', `  ${facts}`)])]
  })
}

const factsWidth = '  tools  images  thinks   window'.length

/** What is known, in words. */
function factsOf({ nativeTools, images, thinking, contextWindow }: CloudModel): string {
  const can = [
    ['tools', nativeTools],
    ['images', images],
    ['thinking', thinking],
  ] as const
  const known = can.flatMap(([what, is]) => (is === null ? [] : [is ? what : `no ${what}`]))
  return [...known, ...(contextWindow === null ? [] : [`window ${contextWindow}`])].join(', ')
}

/** What the providers that were not asked need. */
function missing(clouds: readonly Cloud[], { width, only }: Options): string[] {
  const withoutKey = clouds.filter(({ state }) => state === 'no_key')
  const withoutList = clouds.filter(({ state }) => state === 'no_list')
  const names = (some: readonly Cloud[]) => some.map(({ provider }) => provider).join(', ')
  const lines = [
    ...(withoutKey.length === 0 ? [] : [`Without a key: ${names(withoutKey)}`]),
    ...withoutKey
      .filter(({ provider }) => provider === only || only === null)
      .slice(0, 1)
      .map(({ provider, keyVariable }) =>
        only === null
          ? 'Keep a key with: loader login <provider>'
          : `Keep a key with: loader login ${provider}, or set ${keyVariable}`,
      ),
    ...(withoutList.length === 0 ? [] : [`Without a list: ${names(withoutList)}. Name their models with -m.`]),
  ]
  return lines.length === 0 ? [] : ['', ...lines.flatMap((line) => wrap(line, width))]
}

function yesOrNo(value: boolean | null): string {
  return value === null ? '?' : value ? 'yes' : 'no'
}

function amount(tokens: number | null): string {
  return tokens === null ? '?' : String(tokens)
}
