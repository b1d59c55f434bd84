import type { SessionState, Turn } from '@loader/session-core'
import type { TimelineEntry } from '@loader/session-core/coding'

/** The decisions of the open turn, or of another one whose start the state still knows. */
export function decisionsOfTurn(
  { timeline, turn: open }: SessionState,
  turn: Pick<Turn, 'startedSeq'> | null = open,
): TimelineEntry[] {
  if (turn === null) return []
  const before = timeline.findLastIndex(({ seq }) => seq <= turn.startedSeq)
  return timeline.slice(before + 1)
}
