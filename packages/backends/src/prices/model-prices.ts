import * as z from 'zod/mini'

const perMillion = (meaning: string) => z.number().check(z.gte(0), z.describe(meaning))

/** The prices of a model: those of the user go before any list. */
export const ModelPrice = z
  .union([
    z.literal('local'),
    z.strictObject({
      input: perMillion('US dollars for a million tokens of requests'),
      output: perMillion('US dollars for a million tokens of answers, reasoning included'),
      cacheRead: z.optional(perMillion('for tokens that are read from a cache; absent: as input')),
      cacheWrite: z.optional(perMillion('for tokens that are written to a cache; absent: as input')),
    }),
  ])
  .check(z.describe('local for a model whose requests cost nothing, or US dollars for a million tokens'))
export type ModelPrice = Readonly<z.infer<typeof ModelPrice>>

/** Prices by model: `provider/id`, or `provider/*` for all models of a provider. */
export interface ModelPrices {
  readonly [model: string]: ModelPrice
}

/** The price that the user gave for one of these names of a model. The whole name goes before that of its provider. */
export function priceGiven(prices: ModelPrices, names: readonly string[]): ModelPrice | undefined {
  const places = [...names, ...names.map((name) => `${name.slice(0, name.indexOf('/'))}/*`)]
  const found = places.find((name) => Object.hasOwn(prices, name))
  return found === undefined ? undefined : prices[found]
}
