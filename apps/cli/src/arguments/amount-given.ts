import type { Given } from './given.ts'
import { UsageError } from './usage-error.ts'

/** The value of an option as an amount of money, which may be 0; undefined if it was not given. */
export function amountGiven(given: Given, name: string): number | undefined {
  const text = given.value(name)
  if (text === undefined) return undefined
  const amount = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(amount) && amount >= 0) return amount
  throw new UsageError(`--${name} needs an amount such as 2.50, not ${JSON.stringify(text)}.`, given.command.name)
}
