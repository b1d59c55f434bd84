import { BackendError } from '@loader/session-core'
import { type FailureKind, failureKind } from './failure-kind.ts'
import { redacted } from './redact.ts'
import type { ReportedError } from './reported-error.ts'
import { type HeaderOf, retryAfterMs } from './retry-after.ts'

/** The model that failed, and what must not be in the message. */
export interface Failing {
  /** `provider/id` */
  readonly id: string
  readonly secrets: readonly string[]
  /** The time in milliseconds, for waits until a date. */
  readonly now: () => number
  /** Advice for when credentials are not accepted. */
  readonly keyAdvice?: string
}

/**
 * A failure in a form that `model.failed` records. It never has a `cause`: errors of libraries hold the request, with
 * the conversation and sometimes the key, and printing an error prints its causes too.
 */
export function failure(
  { id, secrets }: Pick<Failing, 'id' | 'secrets'>,
  kind: FailureKind,
  what: string,
  more: { readonly status?: number | undefined; readonly retryAfterMs?: number | undefined } = {},
): BackendError {
  const { status, retryAfterMs: wait } = more
  return new BackendError({
    kind,
    message: redacted(`${id} ${what}`, secrets),
    ...(status !== undefined && { status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  })
}

/** A failure that a server reported, in a response or in the middle of a stream. */
export function reportedFailure(
  failing: Failing,
  { message, codes, words, retryAfterMs: told }: ReportedError,
  response: { readonly status?: number | undefined; readonly headerOf?: HeaderOf | undefined } = {},
): BackendError {
  const { status, headerOf } = response
  // A server that says when to retry means a rate limit, even if its text mentions quotas or bills.
  const kind = status === 429 && told !== undefined ? 'rate_limited' : failureKind(status, { codes, words })
  const waits = kind === 'rate_limited' || kind === 'overloaded'
  const wait = waits ? ((headerOf && retryAfterMs(headerOf, failing.now())) ?? told) : undefined
  const code = status === undefined ? '' : ` (${status})`
  const advice = adviceOn(kind, failing, wait)
  const said = message.trim() === '' ? '' : `: ${message.trim()}`
  // Where it is shown in one line, what to do follows a whole sentence.
  const end = advice === '' || /[.!?]$/.test(said) ? '' : '.'
  return failure(failing, kind, `${happened[kind]}${code}${said}${end}${advice}`, {
    status,
    retryAfterMs: wait,
  })
}

const happened: { readonly [Kind in FailureKind]: string } = {
  rate_limited: 'was asked too often',
  overloaded: 'is overloaded',
  context_too_long: 'cannot take a request this long',
  auth: 'does not accept the credentials',
  no_credit: 'was refused because the account has no credit left',
  unknown_model: 'does not exist',
  bad_request: 'refused the request',
  connection: 'could not be reached',
  interrupted: 'broke off its answer',
  other: 'failed',
}

function adviceOn(kind: FailureKind, { keyAdvice }: Failing, wait: number | undefined): string {
  if (kind === 'auth' && keyAdvice !== undefined) return `\n${keyAdvice}`
  if (kind === 'no_credit') return '\nAdd credit to the account that the key belongs to, or use another model.'
  return wait === undefined ? '' : `\nIt asks to wait ${Math.ceil(wait / 1000)} s.`
}
