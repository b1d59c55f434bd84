import { addTotals, noTotals, type SessionState } from '@loader/session-core'
import type { ChildGrant, ChildSession } from '@loader/session-core/coding'
import { limitsOf } from '../words/limits.ts'

/** How deep children may go, and how many a turn may begin. */
export interface ChildLimits {
  /** Children of a session that a user began have depth 1. */
  readonly depth: number
  /** Children of one turn. */
  readonly number: number
}

/** How deep, and how many, where nothing else is said. */
export const defaultChildLimits: ChildLimits = { depth: 2, number: 16 }

/** Why no child may be begun, for the model; undefined when one may. */
export function whyNoChild(state: SessionState, limits: ChildLimits): string | undefined {
  const depth = state.parent?.depth ?? 0
  if (depth >= limits.depth) {
    return `Agents go ${limits.depth} deep here, and this one is that deep already. Do this part yourself.`
  }
  const begun = childrenOfTurn(state).length
  if (begun >= limits.number) {
    return `This turn has begun ${begun} agents, which is all that one may. Do the rest yourself.`
  }
  if (turnsLeft(state) < 2) {
    return 'Too few answers are left in this turn for another agent. Do this part yourself.'
  }
  return undefined
}

/**
 * What one of several children that begin now may use: an equal share of what its parent has left, with a share for the
 * parent itself. What others that are under way may still use is not left any more.
 */
export function childShare(state: SessionState, waiting: number): Pick<ChildGrant, 'turns' | 'tokens' | 'usd'> {
  const shares = Math.max(1, waiting) + 1
  const tokens = tokensLeft(state)
  const usd = usdLeft(state)
  return {
    turns: Math.max(1, Math.floor(turnsLeft(state) / shares)),
    ...(tokens !== undefined && { tokens: Math.max(0, Math.floor(tokens / shares)) }),
    // A billionth is what costs are rounded to.
    ...(usd !== undefined && { usd: Math.max(0, Math.floor((usd / shares) * 1e9) / 1e9) }),
  }
}

/** A child that is taken up after a crash may use no more than both its grant and what is left allow. */
export function shareAgain(
  state: SessionState,
  { id, grant }: ChildSession,
): Pick<ChildGrant, 'turns' | 'tokens' | 'usd'> {
  const others = { ...state, children: (state.children ?? []).filter((child) => child.id !== id) }
  const least = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? (one ?? other) : Math.min(one, Math.max(0, other))
  const tokens = least(grant.tokens, tokensLeft(others))
  const usd = least(grant.usd, usdLeft(others))
  return {
    turns: Math.max(1, Math.min(grant.turns, turnsLeft(others))),
    ...(tokens !== undefined && { tokens }),
    ...(usd !== undefined && { usd }),
  }
}

function childrenOfTurn({ children = [], turn }: SessionState): readonly ChildSession[] {
  return turn === null ? [] : children.filter(({ seq }) => seq > turn.startedSeq)
}

function underWay({ children = [] }: SessionState): readonly ChildSession[] {
  return children.filter(({ finished }) => finished === undefined)
}

/** Answers that the turn may still ask for, itself and through children. */
function turnsLeft(state: SessionState): number {
  const { maxIterations } = limitsOf(state.policy)
  const spent = (state.turn?.spent.iterations ?? 0) + (state.turn?.childUsage?.iterations ?? 0)
  return maxIterations - spent - sum(underWay(state).map(({ grant }) => grant.turns))
}

function tokensLeft(state: SessionState): number | undefined {
  const { maxTurnTokens } = limitsOf(state.policy)
  if (maxTurnTokens === undefined) return undefined
  return maxTurnTokens - tokensOfTurn(state) - sum(underWay(state).map(({ grant }) => grant.tokens ?? 0))
}

/** Tokens that the open turn has used, with its children. */
export function tokensOfTurn({ turn }: Pick<SessionState, 'turn'>): number {
  const { inputTokens, outputTokens } = addTotals(turn?.usage ?? noTotals, turn?.childUsage ?? noTotals)
  return inputTokens + outputTokens
}

function usdLeft(state: SessionState): number | undefined {
  const { budget } = state.policy ?? {}
  if (budget === undefined) return undefined
  return budget.usd - usdSpent(state) - sum(underWay(state).map(({ grant }) => grant.usd ?? 0))
}

/** What the session has cost with its children, requests of unknown cost at their most. */
export function usdSpent({ usage, childUsage }: Pick<SessionState, 'usage' | 'childUsage'>): number {
  const { usd = 0, uncertainUsd = 0 } = addTotals(usage, childUsage ?? noTotals).cost ?? {}
  return usd + uncertainUsd
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}
