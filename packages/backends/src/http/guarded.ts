import type { BackendError } from '@loader/session-core'
import { type Failing, failure } from '../failures/failure.ts'
import { inWords } from '../failures/thrown-failure.ts'
import { eitherSignal, unlessAborted } from '../platform/signal.ts'
import { replyWith, type Transport } from './transport.ts'

/** How long to wait for a server, in milliseconds. */
export interface TimeOuts {
  /** Until headers arrive, and again until the first byte: a local model may have to be loaded first. */
  readonly firstByteMs?: number
  /** Until the next chunk. Some servers send no data while a model writes the arguments of a call. */
  readonly betweenChunksMs?: number
}

const minute = 60_000

export const usualTimeOuts: Required<TimeOuts> = { firstByteMs: 10 * minute, betweenChunksMs: 5 * minute }

/**
 * A transport with timeouts, whose failures are those of a backend: `connection` before an answer, `interrupted` in the
 * middle of one. When the signal of the request aborts, its reason is thrown.
 */
export function guarded(transport: Transport, timeOuts: Required<TimeOuts>, failing: Failing): Transport {
  return async (url, request) => {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw failure(failing, 'bad_request', 'has an address that does not begin with http:// or https://. Mend it.')
    }
    const expired = new AbortController()
    const signal = eitherSignal(expired.signal, request?.signal)
    const isAside = request?.isAside ?? false
    const deadline = (stage: Stage) => ({ expired, signal, isAside, ...stage })

    const reply = await within(deadline(toReach(url, failing, timeOuts)), () => transport(url, { ...request, signal }))
    if (reply.body === null) return reply

    const reader = reply.body.getReader()
    const goingOn = toGoOn(failing, timeOuts)
    let stage = toBegin(failing, timeOuts)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const chunk = await within(deadline(stage), () => reader.read())
        stage = goingOn
        if (chunk.done) controller.close()
        else controller.enqueue(chunk.value)
      },
      cancel: (reason) => reader.cancel(reason),
    })
    return replyWith(reply, body)
  }
}

interface Stage {
  readonly limitMs: number
  /** The error for a timeout. */
  readonly silence: () => BackendError
  readonly explain: (error: unknown) => BackendError
}

interface Deadline extends Stage {
  readonly expired: AbortController
  /** Aborts when the request is aborted or the timeout expires. */
  readonly signal: AbortSignal
  readonly isAside: boolean
}

async function within<Result>(deadline: Deadline, work: () => Promise<Result>): Promise<Result> {
  const { limitMs, expired, signal, isAside, silence, explain } = deadline
  const timer = setTimeout(() => expired.abort(silence()), limitMs)
  if (isAside) timer.unref()
  try {
    return await unlessAborted(work(), signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : explain(error)
  } finally {
    clearTimeout(timer)
  }
}

function toReach(url: string, failing: Failing, { firstByteMs }: Required<TimeOuts>): Stage {
  const { origin } = new URL(url)
  return {
    limitMs: firstByteMs,
    silence: () => silentAtFirst(failing, firstByteMs),
    explain: (error) => failure(failing, 'connection', notReached(origin, inWords(error))),
  }
}

function notReached(origin: string, why: string): string {
  const isRefused = /ECONNREFUSED/.test(why)
  return `could not be reached at ${origin}: ${why}${isRefused ? '. Start the server there, or give its address.' : ''}`
}

function toBegin(failing: Failing, { firstByteMs }: Required<TimeOuts>): Stage {
  return {
    limitMs: firstByteMs,
    silence: () => silentAtFirst(failing, firstByteMs),
    explain: (error) => brokenOff(failing, error),
  }
}

function toGoOn(failing: Failing, { betweenChunksMs }: Required<TimeOuts>): Stage {
  const advice = 'Raise timeOuts.betweenChunksMs if it needs longer.'
  return {
    limitMs: betweenChunksMs,
    silence: () => failure(failing, 'interrupted', `sent nothing more for ${seconds(betweenChunksMs)}. ${advice}`),
    explain: (error) => brokenOff(failing, error),
  }
}

function silentAtFirst(failing: Failing, limitMs: number): BackendError {
  const advice = 'A model that is still being loaded may need longer: raise timeOuts.firstByteMs.'
  return failure(failing, 'connection', `sent nothing for ${seconds(limitMs)}. ${advice}`)
}

function brokenOff(failing: Failing, error: unknown): BackendError {
  return failure(failing, 'interrupted', `broke off its answer: ${inWords(error)}`)
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`
}
