import type { Given } from './given.ts'
import { UsageError } from './usage-error.ts'

/** The value of an option as a whole number of at least 1; undefined if it was not given. */
export function wholeNumber(given: Given, name: string): number | undefined {
  const text = given.value(name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 1) return number
  throw new UsageError(`--${name} needs a whole number from 1 on, not ${JSON.stringify(text)}.`, given.command.name)
}
