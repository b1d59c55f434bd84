import { type Backend, LoaderError, type PriceCeiling } from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import type { AgentConfig } from './config.ts'

/** The budget with the highest prices of the model. Undefined without a budget. */
export async function budgetFor(backend: Backend, { budget }: AgentConfig): Promise<Policy['budget']> {
  if (budget === undefined) return undefined
  const { usd, unknownPrices = 'refuse' } = budget
  const price = await backend.priceCeiling?.()
  if (price === undefined && unknownPrices === 'refuse') throw priceUnknown(backend.id, usd)
  return price === undefined ? { usd } : { usd, price: withoutExtras(price) }
}

/** Requires that a budget can be kept, before anything is recorded. */
export async function requirePrices(backends: readonly Backend[], config: AgentConfig): Promise<void> {
  for (const backend of backends) await budgetFor(backend, config)
}

/** A backend of others may return more than the schema names. */
function withoutExtras(price: PriceCeiling): PriceCeiling {
  if (price.kind === 'local') return { kind: 'local' }
  const { kind, input, output, source, date } = price
  return { kind, input, output, source, ...(date !== undefined && { date }) }
}

function priceUnknown(model: string, usd: number): LoaderError {
  return new LoaderError(
    'invalid_config',
    `The budget of $${usd} cannot be kept, because the price of ${model} is not known. Give its price in the settings, ` +
      `in US dollars for a million tokens: "prices": { ${JSON.stringify(model)}: { "input": 1, "output": 5 } }, or ` +
      '"local" if it costs nothing. To go on without knowing what it costs: "unknownPrices": "allow".',
  )
}
