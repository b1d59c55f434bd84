import { calcPrice, findProvider, type Provider } from '@pydantic/genai-prices'
import type { PlausibleUsage } from './plausible-usage.ts'

// This module holds all prices: it is large, and must only be imported when a price is needed.

/** The version of the list, and the day on which it was published. A test holds them against the installed package. */
export const priceSource = { source: 'genai-prices 0.1.8', date: '2026-09-23' } as const

/**
 * The names of providers in the list. They are given one by one because the list itself matches by parts of names, and
 * would take `my-openai-proxy` for OpenAI.
 */
const listed: { readonly [provider: string]: string } = {
  anthropic: 'anthropic',
  azure: 'azure',
  bedrock: 'aws',
  cerebras: 'cerebras',
  deepseek: 'deepseek',
  fireworks: 'fireworks',
  google: 'google',
  groq: 'groq',
  mistral: 'mistral',
  openai: 'openai',
  openrouter: 'openrouter',
  together: 'together',
  vertex: 'google',
  xai: 'x-ai',
}

/** A model at a provider. A provider that is not known by name is found by its address. */
export interface ListedModel {
  readonly provider: string
  readonly model: string
  readonly baseUrl?: string | undefined
}

/** What a request cost at that time, in US dollars; undefined if the list does not have the model. */
export function listedCost(model: ListedModel, usage: PlausibleUsage, time: number): number | undefined {
  const provider = providerOf(model)
  if (provider === undefined) return undefined
  return priced(provider, model.model, usage, time)
}

/** The highest prices for a million tokens of input and output, for requests of up to `window` tokens. */
export function listedCeiling(
  model: ListedModel,
  window: number,
  time: number,
): { readonly input: number; readonly output: number } | undefined {
  const provider = providerOf(model)
  if (provider === undefined) return undefined
  const none = { input: window, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, reasoning: 0 }
  const million = 1_000_000
  const ceilings = hoursFrom(time).map((hour) => {
    const costOf = (usage: PlausibleUsage) => priced(provider, model.model, usage, hour) ?? Number.NaN
    const read = costOf(none)
    const written = costOf({ ...none, cacheWrite: window })
    const answered = costOf({ ...none, output: million })
    const thought = costOf({ ...none, output: million, reasoning: million })
    return { input: (Math.max(read, written) / window) * million, output: Math.max(answered, thought) - read }
  })
  const highest = { input: maxOf(ceilings.map(({ input }) => input)), output: maxOf(ceilings.map((one) => one.output)) }
  return Number.isFinite(highest.input) && Number.isFinite(highest.output) ? highest : undefined
}

/** The context window of a model in the list, in tokens. */
export function listedWindow(model: ListedModel): number | undefined {
  const provider = providerOf(model)
  const usage = { input_tokens: 0, output_tokens: 0 }
  return provider && calcPrice(usage, model.model, { provider })?.model.context_window
}

function providerOf({ provider, baseUrl }: ListedModel): Provider | undefined {
  const providerId = Object.hasOwn(listed, provider) ? listed[provider] : undefined
  if (providerId !== undefined) return findProvider({ providerId })
  return baseUrl === undefined ? undefined : findProvider({ providerApiUrl: baseUrl })
}

/** Some prices depend on the time of the day. */
function hoursFrom(time: number): readonly number[] {
  return Array.from({ length: 25 }, (_, hour) => time + hour * 3_600_000)
}

function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
}

function priced(provider: Provider, model: string, usage: PlausibleUsage, time: number): number | undefined {
  const { input, output, cacheRead, cacheWrite, cacheWriteHour, reasoning } = usage
  const counts = {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    ...(cacheWriteHour > 0 && { cache_write_1h_tokens: cacheWriteHour }),
    output_reasoning_tokens: reasoning,
  }
  const total = calcPrice(counts, model, { provider, timestamp: new Date(time) })?.total_price
  return total !== undefined && Number.isFinite(total) && total >= 0 ? total : undefined
}
