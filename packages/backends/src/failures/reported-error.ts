import { excerptOf } from '@loader/session-core'
import * as z from 'zod/mini'
import { maybe, orAbsent } from '../platform/maybe.ts'
import { retryAfterInWords } from './retry-after.ts'
import { jsonIn } from '../platform/json-text.ts'

const longest = 600

/** The content of an error body or stream error. Its form differs between providers. */
const Details = z.looseObject({
  message: z.nullish(z.string()),
  type: z.nullish(z.string()),
  code: z.nullish(z.union([z.string(), z.number()])),
  status: z.nullish(z.union([z.string(), z.number()])),
  details: orAbsent(
    z.nullish(z.array(z.looseObject({ retryDelay: z.optional(z.string()), reason: maybe(z.string()) }))),
  ),
})
type Details = z.infer<typeof Details>
const Report = z.looseObject({
  error: z.nullish(z.union([z.string(), Details])),
  detail: z.nullish(z.string()),
})

export interface ReportedError {
  /** For people. */
  readonly message: string
  /** The codes in the fields that providers have for them. */
  readonly codes: readonly string[]
  /** All text that helps to classify the error, codes included. */
  readonly words: string
  /** How long to wait, if the body says so. */
  readonly retryAfterMs?: number
}

/** Parses the error in the body of a response. */
export function errorInBody(body: string): ReportedError {
  const value = jsonIn(body)
  if (value !== undefined) return errorInValue(value)
  // Gateways answer with an HTML page.
  const text = excerptOf(body.replace(/<(style|script)[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' '), longest)
  return { message: text, codes: [], words: text }
}

/** Parses an error that a stream or a provider's library passes on. */
export function errorInValue(value: unknown): ReportedError {
  if (typeof value === 'string') return { message: excerptOf(value, longest), codes: [], words: value }
  const outer: Details = Details.safeParse(value).data ?? {}
  const { error, detail } = Report.safeParse(value).data ?? {}
  const inner: Details = typeof error === 'string' ? { message: error } : (error ?? {})
  const message = inner.message ?? outer.message ?? detail ?? shown(value)
  const codes = [inner, outer]
    .flatMap(({ type, code, status, details }) => [code, ...(details ?? []).map(({ reason }) => reason), type, status])
    .filter((code) => typeof code === 'string')
  const wait = [inner, outer].flatMap(({ details }) => details ?? []).find(({ retryDelay }) => retryDelay !== undefined)
  const retryAfterMs = secondsIn(wait?.retryDelay) ?? retryAfterInWords(message)
  return {
    message: excerptOf(message, longest),
    codes,
    words: [message, ...codes].join(' '),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function shown(value: unknown): string {
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? typeof value)
}

/** `7.25s`, the format of Google. */
function secondsIn(delay: string | undefined): number | undefined {
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '') ?? []
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000)
}
