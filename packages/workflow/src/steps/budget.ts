import { requestSize } from '@loader/compaction'
import type { SessionState } from '@loader/session-core'
import { usdSpent } from '../children/child-share.ts'
import type { Step } from '../words/step.ts'

/** Tokens of an answer where no limit is set: with a budget, an answer must have one. */
const usualOutputTokens = 16_384

/** An answer with less room is not worth its request: what it calls for would be cut off, and no thought has room. */
const leastOutputTokens = 2_048

/** Our estimate of a request may be too low by this factor; servers count the same text differently. */
const margin = 1.3

/** What the next request may use of the budget. */
export interface RequestBudget {
  /** Of the request, estimated. */
  readonly estimatedTokens: number
  /** What the answer may take at most; 0 when the budget does not pay for an answer any more. */
  readonly maxOutputTokens: number
  /** What request and answer can cost at most. */
  readonly atMostUsd: number
  /** What the budget has left. */
  readonly leftUsd: number
}

/**
 * What the next request may use. Undefined without a budget, for a local model, and when the price is not known, which
 * the user has then allowed.
 *
 * Requests of unknown cost count with what they can have cost at most, and those of child sessions like its own.
 */
export function requestBudget(state: SessionState): RequestBudget | undefined {
  const { budget, limits } = state.policy ?? {}
  const price = budget?.price
  if (budget === undefined || price?.kind !== 'priced') return undefined
  const leftUsd = budget.usd - usdSpent(state)
  const estimatedTokens = Math.ceil(requestSize(state).input * margin)
  const inputUsd = (estimatedTokens * price.input) / 1_000_000
  const wanted = limits?.maxOutputTokens ?? usualOutputTokens
  // A trillionth keeps rounding from going above the budget.
  const paid = price.output === 0 ? wanted : ((leftUsd - inputUsd - 1e-12) * 1_000_000) / price.output
  const room = leftUsd <= inputUsd ? 0 : Math.min(wanted, Math.floor(paid))
  const maxOutputTokens = room < Math.min(wanted, leastOutputTokens) ? 0 : room
  const atMostUsd = inputUsd + (maxOutputTokens * price.output) / 1_000_000
  return { estimatedTokens, maxOutputTokens, atMostUsd, leftUsd }
}

/** Ends the turn instead of making a request that could exceed the budget. */
export function withinBudget(step: Step, state: SessionState): Step {
  if (step.type !== 'ask_model') return step
  const request = requestBudget(state)
  if (request === undefined || request.maxOutputTokens > 0) return step
  const limit = state.policy?.budget?.usd ?? 0
  const { estimatedTokens, leftUsd } = request
  const summary =
    `The next request, of about ${estimatedTokens} tokens and an answer, could exceed the budget: of $${limit} for this ` +
    `session, ${leftUsd > 0 ? `$${inCents(leftUsd)} is left` : 'nothing is left'}. Go on with a larger one: ` +
    '--max-budget-usd <amount>.'
  return { type: 'finish', reason: 'cost_budget_exhausted', summary }
}

function inCents(usd: number): string {
  return usd >= 0.01 ? usd.toFixed(2) : usd.toFixed(6)
}
