import type { Request, SessionState, Turn } from '@loader/session-core'
import { fallbackEntry } from '../timeline/fallback-entry.ts'
import { limitsOf } from '../words/limits.ts'
import type { Step } from '../words/step.ts'
import { askStep, steeringStep } from './ask.ts'
import { compactionStep } from './compaction.ts'

/** Failures by which a server asks to come back later. It is waited for, as long as the limits allow. */
const later: ReadonlySet<string> = new Set(['rate_limited', 'overloaded'])

/** Failures that may not recur when the request is repeated. */
const passing: ReadonlySet<string> = new Set([...later, 'connection', 'interrupted', 'model_changed', 'other'])

const firstDelayMs = 1_000
const longestDelayMs = 60_000
/** A server may say too often that it is ready at once. From then on, waits grow whatever it says. */
const believedTimes = 3

/** After a failed request: repeats it after a wait, compacts if it was too long, or ends the turn. */
export function failureStep(state: SessionState, turn: Turn, request: Request): Step {
  const { purpose, attempt, refusals = 0 } = request
  const kind = request.error?.kind ?? 'other'
  if (purpose === 'summary') {
    return compactionStep(state, turn) ?? askStep(state, turn)
  }
  const repeated = { ...request, purpose }
  if (kind === 'context_too_long') return compactionStep(state, turn) ?? again(state, turn, repeated)
  if (!passing.has(kind)) return failed('model_failed', request)
  const isLater = later.has(kind)
  if (!isLater && attempt - refusals >= limitsOf(state.policy).maxAttempts) {
    return failed('retry_budget_exhausted', request)
  }
  // The failed request also reported the new model, so there is no reason to wait.
  if (turn.waited || kind === 'model_changed') return again(state, turn, repeated)
  // The turn goes on with another model, which was not asked yet.
  if (turn.model !== undefined && turn.model !== request.model) return again(state, turn, repeated)
  return (isLater ? tooLong(state, turn, request) : undefined) ?? waitFor(state, request)
}

function waitFor(state: SessionState, request: Request): Step {
  const { id: requestId, attempt, error } = request
  const ms = waitOf(request)
  const why = `attempt ${attempt} failed (${error?.kind ?? 'other'}): ${error?.message ?? 'no reason given'}`
  return { type: 'decide', events: [{ type: 'wait.started', until: after(state.updatedAt, ms), why, requestId, ms }] }
}

/** What happens instead of a wait that would be too long: another model takes over, or the turn ends. */
function tooLong(state: SessionState, turn: Turn, request: Request): Step | undefined {
  const { waitedMs = 0, model, error } = request
  const wait = waitOf(request)
  const { fallback } = state.policy ?? {}
  const canFallBack = fallback !== undefined && turn.model === undefined && model !== fallback.model
  if (canFallBack && waitedMs + wait > fallback.afterMs) {
    const entry = fallbackEntry({ mode: state.mode, fallback, waitedMs, wait, error })
    return { type: 'decide', events: [{ type: 'workflow.decided', entry, model: fallback.model }] }
  }
  const { maxWaitMs } = limitsOf(state.policy)
  if (waitedMs + wait <= maxWaitMs) return undefined
  const said = error?.message ?? 'no reason given'
  const waited = waitedMs === 0 ? '' : `, after ${inWords(waitedMs)}`
  const summary =
    `The model cannot answer now (${error?.kind ?? 'other'}): ${said}\nThe next attempt would be in ${inWords(wait)}` +
    `${waited}, and one request waits ${inWords(maxWaitMs)} at most (limits.maxWaitMs). Go on later, or with another ` +
    'model: -m <provider/id>.'
  return { type: 'finish', reason: 'wait_budget_exhausted', summary }
}

/** Repeats the request. Before another answer is requested, queued steering messages are taken. */
function again(
  state: SessionState,
  turn: Turn,
  { purpose, id: requestId, attempt }: Request & { readonly purpose: Exclude<Request['purpose'], 'summary'> },
): Step {
  const steering = purpose === 'answer' ? steeringStep(state, turn) : undefined
  return steering ?? { type: 'ask_model', purpose, requestId, attempt: attempt + 1 }
}

function failed(reason: string, { error, attempt }: Request): Step {
  const summary = `The model could not be asked (${error?.kind ?? 'other'}, attempt ${attempt}): ${error?.message ?? 'no reason given'}`
  return { type: 'finish', reason, summary }
}

/** The wait that the server asks for, or our own. */
function waitOf(request: Request): number {
  const { refusals = 0, error } = request
  const told = error?.retryAfterMs
  if (told === undefined) return delay(request)
  return refusals < believedTimes ? told : Math.max(told, delay(request))
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

const year = 365 * 24 * 3_600_000

/** A time that can be written, whatever a server asks for. */
function after(time: string, milliseconds: number): string {
  return new Date(Date.parse(time) + Math.min(milliseconds, year)).toISOString()
}

function inWords(milliseconds: number): string {
  if (milliseconds < 120_000) return `${Math.ceil(milliseconds / 1000)} s`
  if (milliseconds < 2 * 3_600_000) return `${Math.round(milliseconds / 60_000)} min`
  return `${Math.round(milliseconds / 3_600_000)} h`
}
