/** A place where two values differ; a side is absent where it has nothing there. */
export interface Difference {
  readonly at: string
  readonly ours?: unknown
  readonly theirs?: unknown
}

/** Where two JSON values differ, field by field. */
export function differences(ours: unknown, theirs: unknown, at = ''): Difference[] {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const length = Math.max(ours.length, theirs.length)
    return Array.from({ length }, (_item, place) => differences(ours[place], theirs[place], `${at}[${place}]`)).flat()
  }
  if (isObject(ours) && isObject(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
    return keys.flatMap((key) => differences(ours[key], theirs[key], at === '' ? key : `${at}.${key}`))
  }
  if (Object.is(ours, theirs)) return []
  return [{ at, ...(ours !== undefined && { ours }), ...(theirs !== undefined && { theirs }) }]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
