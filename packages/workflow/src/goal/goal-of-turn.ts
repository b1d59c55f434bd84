import type { SessionState, Turn } from '@loader/session-core'
import type { Goal } from '@loader/session-core/coding'

/** The id of a turn's goal. A goal with another id belongs to an earlier turn. */
export function goalIdOf({ startedSeq }: Pick<Turn, 'startedSeq'>): string {
  return `goal-${startedSeq}`
}

/** The goal of the open turn, once it is defined; between turns, the one that was defined last. */
export function goalOfTurn({ goal, turn }: Pick<SessionState, 'goal' | 'turn'>): Goal | null {
  return turn === null || goal?.id === goalIdOf(turn) ? goal : null
}
