import type { Policy } from '@loader/session-core/coding'

/** Whether two policies, or parts of them, lead to the same decisions. */
export function samePolicy<Part extends Policy | Policy['permission']>(one: Part | null, other: Part): boolean {
  return one !== null && textOf(one) === JSON.stringify(sorted(other))
}

/** What is recorded is compared before each call, and never changes. */
const texts = new WeakMap<object, string>()

function textOf(recorded: object): string {
  const known = texts.get(recorded) ?? JSON.stringify(sorted(recorded))
  texts.set(recorded, known)
  return known
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  )
}
