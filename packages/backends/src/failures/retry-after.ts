/** Returns a header of a response by its name in lower case. */
export type HeaderOf = (name: string) => string | null | undefined

/** How long a server asks to wait: given in milliseconds, in seconds, or as a date. */
export function retryAfterMs(headerOf: HeaderOf, now: number): number | undefined {
  const milliseconds = numberIn(headerOf('retry-after-ms'))
  if (milliseconds !== undefined) return Math.round(milliseconds)
  const header = headerOf('retry-after')
  const seconds = numberIn(header)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  const date = Date.parse(header ?? '')
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function numberIn(header: string | null | undefined): number | undefined {
  return header && /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : undefined
}
