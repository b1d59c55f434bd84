import type { SessionState, Turn } from '@loader/session-core'
import type { TimelineEntry } from '@loader/session-core/coding'

/** What was decided in the open turn, or in another one that the state still knows the start of. */
export function decisionsOfTurn(
  { timeline, turn: open }: SessionState,
  turn: Pick<Turn, 'startedSeq'> | null = open,
): TimelineEntry[] {
  if (turn === null) return []
  const before = timeline.findLastIndex(({ seq }) => seq <= turn.startedSeq)
  return timeline.slice(before + 1)
}
