import { excerptOf } from '@loader/session-core'
import * as z from 'zod'
import { jsonIn } from '../platform/json-text.ts'

const longest = 600

/** What servers put into the body of an error, or into the stream. Every provider has its own idea of it. */
const Details = z.looseObject({
  message: z.string().nullish(),
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  status: z.union([z.string(), z.number()]).nullish(),
})
const Report = z.looseObject({
  error: z.union([z.string(), Details]).nullish(),
  detail: z.string().nullish(),
})

export interface ReportedError {
  /** What is told to people. */
  readonly message: string
  /** All that tells what kind of error it is. */
  readonly words: string
}

/** Reads an error out of the body of a response. */
export function errorInBody(body: string): ReportedError {
  const value = jsonIn(body)
  if (value !== undefined) return errorInValue(value)
  // Gateways answer with a page.
  const text = excerptOf(body.replace(/<(style|script)[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' '), longest)
  return { message: text, words: text }
}

/** Reads an error out of what a stream, or a provider's library, hands over. */
export function errorInValue(value: unknown): ReportedError {
  if (typeof value === 'string') return { message: excerptOf(value, longest), words: value }
  const outer = Details.safeParse(value).data ?? {}
  const { error, detail } = Report.safeParse(value).data ?? {}
  const inner = typeof error === 'string' ? { message: error } : (error ?? {})
  const message = inner.message ?? outer.message ?? detail ?? shown(value)
  const codes = [inner, outer].flatMap(({ type, code, status }) => [type, code, status])
  return { message: excerptOf(message, longest), words: [message, ...codes].filter((word) => word != null).join(' ') }
}

function shown(value: unknown): string {
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? typeof value)
}
