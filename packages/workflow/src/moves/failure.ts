import type { Request, SessionState, Turn } from '@loader/session-core'
import { limitsOf } from '../words/limits.ts'
import type { Move } from '../words/move.ts'
import { askMove, steeringMove } from './ask.ts'
import { compactionMove } from './compaction.ts'

/** Failures that may not recur when the request is repeated. */
const passing = new Set(['rate_limited', 'overloaded', 'connection', 'interrupted', 'model_changed', 'other'])

const firstDelayMs = 1_000
const longestDelayMs = 60_000

/** After a failed request: repeats it after a wait, compacts if it was too long, or ends the turn. */
export function failureMove(state: SessionState, turn: Turn, request: Request): Move {
  const { purpose, id: requestId, attempt, error } = request
  const kind = error?.kind ?? 'other'
  if (purpose === 'summary') {
    return compactionMove(state, turn) ?? askMove(state, turn)
  }
  if (kind === 'context_too_long') {
    return compactionMove(state, turn) ?? again(state, turn, { ...request, purpose })
  }
  if (!passing.has(kind)) return failed('model_failed', request)
  if (attempt >= limitsOf(state.policy).maxAttempts) return failed('retry_budget_exhausted', request)
  // The failed request also reported the new model, so there is no reason to wait.
  if (turn.waited || kind === 'model_changed') return again(state, turn, { ...request, purpose })
  const until = after(state.updatedAt, error?.retryAfterMs ?? delay(request))
  const why = `attempt ${attempt} failed (${kind}): ${error?.message ?? 'no reason given'}`
  return { type: 'decide', events: [{ type: 'wait.started', until, why, requestId }] }
}

/** Repeats the request. Before another answer is requested, queued steering messages are taken. */
function again(
  state: SessionState,
  turn: Turn,
  { purpose, id: requestId, attempt }: Request & { readonly purpose: Exclude<Request['purpose'], 'summary'> },
): Move {
  const steering = purpose === 'answer' ? steeringMove(state, turn) : undefined
  return steering ?? { type: 'ask_model', purpose, requestId, attempt: attempt + 1 }
}

function failed(reason: string, { error, attempt }: Request): Move {
  const summary = `The model could not be asked (${error?.kind ?? 'other'}, attempt ${attempt}): ${error?.message ?? 'no reason given'}`
  return { type: 'finish', reason, summary }
}

/** Exponential backoff, with jitter so that requests that failed together are not repeated together. */
function delay({ id, attempt }: Request): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1))
  return Math.round(full * (0.5 + fraction(`${id}#${attempt}`) / 2))
}

/** A pseudo-random number from 0 to 1, always the same for the same text (FNV-1a). */
function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) / 0xffffffff
}

function after(time: string, milliseconds: number): string {
  return new Date(Date.parse(time) + milliseconds).toISOString()
}
