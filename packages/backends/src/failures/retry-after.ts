/** Returns a header of a response by its name in lower case. */
export type HeaderOf = (name: string) => string | null | undefined

/** How long a server asks to wait: in the standard header, in milliseconds, seconds or as a date, or in its own. */
export function retryAfterMs(headerOf: HeaderOf, now: number): number | undefined {
  const milliseconds = numberIn(headerOf('retry-after-ms'))
  if (milliseconds !== undefined) return Math.round(milliseconds)
  const header = headerOf('retry-after')
  const seconds = numberIn(header)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  const date = Date.parse(header ?? '')
  return Number.isNaN(date) ? resetOf(headerOf, now) : Math.max(0, date - now)
}

/** Limits that providers count, with the headers for what is left and when it is full again. */
const counted: readonly (readonly [remaining: string, reset: string])[] = [
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (name) => [`anthropic-ratelimit-${name}-remaining`, `anthropic-ratelimit-${name}-reset`] as const,
  ),
  ...['requests', 'tokens'].map((name) => [`x-ratelimit-remaining-${name}`, `x-ratelimit-reset-${name}`] as const),
  ['x-ratelimit-remaining', 'x-ratelimit-reset'],
]

/** The latest reset of the limits that are used up. Resets of other limits say nothing about this request. */
function resetOf(headerOf: HeaderOf, now: number): number | undefined {
  const waits = counted.flatMap(([remaining, reset]) =>
    numberIn(headerOf(remaining)) === 0 ? (untilReset(headerOf(reset), now) ?? []) : [],
  )
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** Anthropic sends a date, OpenAI and Groq a duration, OpenRouter milliseconds since 1970, others seconds. */
function untilReset(text: string | null | undefined, now: number): number | undefined {
  const number = numberIn(text)
  if (number === undefined) return durationIn(text ?? '') ?? fromDate(text, now)
  if (number > 1e12) return Math.max(0, number - now)
  return number > 1e9 ? Math.max(0, number * 1000 - now) : Math.round(number * 1000)
}

function fromDate(text: string | null | undefined, now: number): number | undefined {
  const date = Date.parse(text ?? '')
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const units: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `1m12.5s`, `320ms`, `2h`. */
function durationIn(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text.trim())) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)]
  return Math.ceil(parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0), 0))
}

/** `Please try again in 7m12s.`, as OpenAI and Groq write it. */
export function retryAfterInWords(words: string): number | undefined {
  const [, duration] = /try again in ((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)\b/i.exec(words) ?? []
  return duration === undefined ? undefined : durationIn(duration)
}

function numberIn(header: string | null | undefined): number | undefined {
  return header && /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : undefined
}
