import type { Policy } from '@loader/session-core/coding'

/** Whether two policies, or parts of them, lead to the same decisions. */
export function samePolicy<Part extends Policy | Policy['permission']>(one: Part | null, other: Part): boolean {
  return one !== null && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  )
}
