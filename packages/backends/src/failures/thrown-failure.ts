import { BackendError, LoaderError } from '@loader/session-core'
import * as z from 'zod/mini'
import { type Failing, failure, reportedFailure } from './failure.ts'
import { errorInBody, errorInValue } from './reported-error.ts'

/** An HTTP error of the AI SDK, recognised by its shape: several copies of that package may be loaded. */
const CallError = z.looseObject({
  name: z.literal('AI_APICallError'),
  message: z.string(),
  statusCode: z.optional(z.number()),
  responseHeaders: z.optional(z.record(z.string(), z.string())),
  responseBody: z.optional(z.string()),
})

/** An error that the AI SDK's providers put into a stream when the server reports one there. */
const StreamError = z.looseObject({ message: z.string(), statusCode: z.optional(z.number()), data: z.unknown() })

/** Error texts of several libraries for a broken stream. */
const broken = /terminated|premature|aborted|socket hang up|other side closed|ended without a finish reason|ECONNRESET/i
const unreachable =
  /fetch failed|cannot connect|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|UND_ERR_CONNECT/i

/** Converts an error that a model threw or reported in its stream to a failure. Custom models can throw any value. */
export function thrownFailure(error: unknown, failing: Failing): Error {
  const known = causesOf(error).find((cause) => cause instanceof BackendError || LoaderError.is(cause))
  if (known instanceof Error) return known
  const call = CallError.safeParse(fieldsOf(error)).data
  if (call !== undefined) return callFailure(call, error, failing)
  if (!(error instanceof Error)) return streamFailure(error, failing)
  const said = inWords(error)
  return failure(failing, kindOf(said), `failed: ${said}`)
}

function callFailure(call: z.infer<typeof CallError>, error: unknown, failing: Failing): BackendError {
  const { statusCode: status, responseHeaders: headers = {}, responseBody, message } = call
  if (status === undefined || status < 400) {
    // Without a status, either the answer was interrupted or the server could not be reached.
    return status === undefined
      ? failure(failing, 'connection', `could not be reached: ${inWords(error)}`)
      : failure(failing, 'interrupted', `broke off its answer: ${inWords(error)}`)
  }
  const reported = errorInBody(responseBody ?? '')
  const told = reported.message === '' ? { ...reported, message, words: message } : reported
  return reportedFailure(failing, told, { status, headerOf: (name) => headers[name] })
}

function streamFailure(value: unknown, failing: Failing): BackendError {
  const { statusCode: status, data, message } = StreamError.safeParse(value).data ?? {}
  const reported = errorInValue(data ?? value)
  const outer = errorInValue(value)
  const [codes, words] = [[...reported.codes, ...outer.codes], `${reported.words} ${outer.words}`]
  return reportedFailure(failing, { ...reported, message: message ?? reported.message, codes, words }, { status })
}

function kindOf(said: string) {
  if (broken.test(said)) return 'interrupted'
  if (unreachable.test(said)) return 'connection'
  if (/^AI_(UnsupportedFunctionality|InvalidPrompt|InvalidArgument)/.test(said)) return 'bad_request'
  return said.startsWith('AI_LoadAPIKey') ? 'auth' : 'other'
}

/** The texts of an error and its causes. */
export function inWords(error: unknown): string {
  return [...new Set(causesOf(error).map(described))].join('; ')
}

/** The error, its cause, and so on. Causes may form a cycle. */
function causesOf(error: unknown): unknown[] {
  const causes = new Set<unknown>()
  let cause = error
  while (cause !== undefined && !causes.has(cause)) {
    causes.add(cause)
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return [...causes]
}

function described(cause: unknown): string {
  if (!(cause instanceof Error)) return errorInValue(cause).message
  const code = 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : ''
  return `${cause.name === 'Error' ? '' : `${cause.name}: `}${errorInValue(cause.message).message}${code}`
}

/** Includes inherited fields: not all fields of an error are its own. */
function fieldsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  return { ...Object.fromEntries(Object.entries(error)), name: error.name, message: error.message }
}
