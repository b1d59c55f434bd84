import { type SessionState, type Totals, usageWithChildren } from '@loader/session-core'
import { costText } from './words/costs.ts'

/** What was used, short enough for a status line. */
export interface UsageNow {
  /** Of requests and answers together. */
  readonly tokens: number
  /** In words; empty when nothing was asked yet. */
  readonly cost: string
}

/**
 * What the turn (the open one, else the last) and the whole session have used, with agents; null before the first turn. Of an
 * agent it is known when it has ended.
 */
export function usageNow(state: SessionState): {
  readonly turn: UsageNow | null
  readonly session: UsageNow
} {
  const latest = state.turn ?? state.lastTurn
  const isPart = state.children?.some(({ finished }) => finished === undefined)
  return {
    turn: latest === null ? null : now(usageWithChildren(latest), isPart),
    session: now(usageWithChildren(state), isPart),
  }
}

function now(totals: Totals, isPart?: boolean): UsageNow {
  return { tokens: totals.inputTokens + totals.outputTokens, cost: costText(totals, isPart) }
}
