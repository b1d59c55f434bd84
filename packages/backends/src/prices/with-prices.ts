import type { Backend, BackendDone, BackendEvent, Cost, ModelCapabilities, PriceCeiling } from '@loader/session-core'
import { parseModelName } from '../model/model-name.ts'
import { once } from '../platform/once.ts'
import { type ModelPrice, type ModelPrices, priceGiven } from './model-prices.ts'
import { plausibleUsage } from './plausible-usage.ts'

/** Where `withPrices` finds prices. */
export interface PriceOptions {
  /** Prices of the user, by model; they go before the list. */
  readonly prices?: ModelPrices
  /** The address of a provider that the list may not know by its name. */
  readonly baseUrl?: string
  /** The protocol; models behind that of Ollama are local. */
  readonly api?: string
  /** The time in milliseconds. */
  readonly now?: () => number
}

/** The list of prices is large, so it is loaded once an answer begins to arrive, or when a budget needs it. */
const priceList = once(() => import('./price-list.ts'))

/** Used for the highest price when the window is not known. */
const largestWindow = 1_000_000

/**
 * The same backend, whose answers say what they cost: by the prices of the user, else by the bundled list. A cost that a
 * backend reports itself stays. Nothing is guessed: an unknown price, missing usage and an answer that was cut off have
 * no cost.
 */
export function withPrices(backend: Backend, options: PriceOptions = {}): Backend {
  const { id } = backend
  const describe = backend.describe?.bind(backend)
  return {
    ...backend,
    id,
    stream: (request, streaming) => priced(backend.stream(request, streaming), id, options),
    ...(describe && { describe: async (asking) => withPlace(await describe(asking), isLocal(id, options)) }),
    priceCeiling: async () =>
      (await backend.priceCeiling?.()) ?? ceilingOf(id, async () => (await describe?.())?.contextWindow, options),
  }
}

function withPlace(described: ModelCapabilities, local: boolean): ModelCapabilities {
  return local ? { ...described, local } : described
}

async function* priced(
  events: AsyncIterable<BackendEvent>,
  id: string,
  options: PriceOptions,
): AsyncGenerator<BackendEvent, void, undefined> {
  const listed = needsList(id, options)
  for await (const event of events) {
    // Loaded beside the rest of the answer. An error comes when the list is used.
    if (listed && event.type !== 'status') priceList().catch(() => undefined)
    yield event.type === 'done' ? await withCost(event, id, options) : event
  }
}

async function withCost(done: BackendDone, id: string, options: PriceOptions): Promise<BackendDone> {
  if (done.cost !== undefined || done.finishReason === 'interrupted' || done.finishReason === 'error') return done
  const cost = await costOf([...(done.model === undefined ? [] : [done.model]), id], done, options)
  return cost === undefined ? done : { ...done, cost }
}

/** The cost under the first of these names that has a price: that which answered, then that which was asked. */
async function costOf(names: readonly string[], done: BackendDone, options: PriceOptions): Promise<Cost | undefined> {
  const { prices = {}, baseUrl, now = Date.now } = options
  const given = priceGiven(prices, names)
  if (given === 'local' || (given === undefined && names.some((name) => isLocal(name, options)))) return local
  const plausible = plausibleUsage(done)
  if (plausible === undefined) return undefined
  if (given !== undefined)
    return { kind: 'priced', amount: costAt(given, plausible), currency: 'USD', source: settings }
  const { listedCost, priceSource } = await priceList()
  for (const name of names) {
    const amount = listedCost({ ...parseModelName(name), baseUrl }, plausible, now())
    if (amount !== undefined) return { kind: 'priced', amount, currency: 'USD', ...priceSource }
  }
  return undefined
}

const settings = 'settings'
const local = { kind: 'local' } as const

function costAt(price: Exclude<ModelPrice, 'local'>, usage: NonNullable<ReturnType<typeof plausibleUsage>>): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const uncached = usage.input - usage.cacheRead - usage.cacheWrite
  const inputs = uncached * input + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite
  return (inputs + usage.output * output) / 1_000_000
}

async function ceilingOf(
  id: string,
  windowOf: () => Promise<number | undefined>,
  options: PriceOptions,
): Promise<PriceCeiling | undefined> {
  const { prices = {}, baseUrl, now = Date.now } = options
  if (isLocal(id, options)) return local
  const given = priceGiven(prices, [id])
  if (given !== undefined && given !== 'local') {
    const { input, output, cacheRead = input, cacheWrite = input } = given
    return { kind: 'priced', input: Math.max(input, cacheRead, cacheWrite), output, source: settings }
  }
  const { listedCeiling, priceSource } = await priceList()
  const ceiling = listedCeiling({ ...parseModelName(id), baseUrl }, (await windowOf()) ?? largestWindow, now())
  return ceiling && { kind: 'priced', ...ceiling, ...priceSource }
}

/** The servers that people run themselves. */
const servers: ReadonlySet<string> = new Set(['ollama', 'llamacpp', 'lmstudio', 'vllm'])

/** Whether prices of the list may be needed, so that it is worth loading it. */
function needsList(id: string, options: PriceOptions): boolean {
  return priceGiven(options.prices ?? {}, [id]) === undefined && !isLocal(id, options)
}

/**
 * Models behind servers of the user cost nothing. A server at an address of this machine is not enough: it can pass
 * requests on to a provider. Ollama passes on those for models whose names end in `cloud`.
 */
function isLocal(name: string, { api, prices = {} }: PriceOptions): boolean {
  const given = priceGiven(prices, [name])
  if (given !== undefined) return given === 'local'
  const { provider, model } = parseModelName(name)
  if (provider === 'ollama' || api === 'ollama') return !/[-:]cloud$/.test(model)
  return servers.has(provider)
}
