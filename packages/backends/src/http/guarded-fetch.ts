import type { BackendError } from '@loader/session-core'
import { type Failing, failure } from '../failures/failure.ts'
import { inWords } from '../failures/thrown-failure.ts'
import { eitherSignal, unlessAborted } from '../signal.ts'
import type { Fetch } from './fetch.ts'

/** How long to wait for a server, in milliseconds. */
export interface TimeOuts {
  /** Until headers arrive, and again until the first byte after them: a local model may have to be loaded first. */
  readonly firstByteMs?: number
  /** Until more arrives. Some servers are silent while a model writes the arguments of a call. */
  readonly betweenChunksMs?: number
}

const minute = 60_000

export const usualTimeOuts: Required<TimeOuts> = { firstByteMs: 10 * minute, betweenChunksMs: 5 * minute }

type Target = Parameters<Fetch>[0]

/**
 * A `fetch` that gives up on silent servers, and whose failures are those of a backend: `connection` before an answer,
 * `interrupted` in the middle of one. When the signal of the request aborts, its reason is thrown.
 */
export function guardedFetch(fetch: Fetch, timeOuts: Required<TimeOuts>, failing: Failing): Fetch {
  return async (target, init) => {
    const expired = new AbortController()
    const signal = eitherSignal(expired.signal, init?.signal ?? undefined)
    const patience = (stage: Stage) => ({ expired, signal, ...stage })

    const response = await within(patience(toReach(target, failing, timeOuts)), () =>
      fetch(target, { ...init, signal }),
    )
    if (response.body === null) return response

    const reader = response.body.getReader()
    const goingOn = toGoOn(failing, timeOuts)
    let stage = toBegin(failing, timeOuts)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const chunk = await within(patience(stage), () => reader.read())
        stage = goingOn
        if (chunk.done) controller.close()
        else controller.enqueue(chunk.value)
      },
      cancel: (reason) => reader.cancel(reason),
    })
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  }
}

interface Stage {
  readonly limitMs: number
  /** What it means that nothing came. */
  readonly silence: () => BackendError
  readonly explain: (error: unknown) => BackendError
}

interface Patience extends Stage {
  readonly expired: AbortController
  /** Aborts when the request is aborted, or when this expires. */
  readonly signal: AbortSignal
}

async function within<Result>(patience: Patience, work: () => Promise<Result>): Promise<Result> {
  const { limitMs, expired, signal, silence, explain } = patience
  const timer = setTimeout(() => expired.abort(silence()), limitMs)
  try {
    return await unlessAborted(work(), signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : explain(error)
  } finally {
    clearTimeout(timer)
  }
}

function toReach(target: Target, failing: Failing, { firstByteMs }: Required<TimeOuts>): Stage {
  const { origin } = new URL(typeof target === 'object' && 'url' in target ? target.url : target)
  return {
    limitMs: firstByteMs,
    silence: () => silentAtFirst(failing, firstByteMs),
    explain: (error) => failure(failing, 'connection', `could not be reached at ${origin}: ${inWords(error)}`),
  }
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
