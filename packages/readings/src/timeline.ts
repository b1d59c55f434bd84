import type { History, SessionState } from '@loader/session-core'
import { filterTimeline, type TimelineFilter, timelineHighlights, timelineOf } from '@loader/workflow'
import { agentNews } from './children.ts'
import { backgroundIn } from './conversation.ts'
import { hooksIn } from './hooks.ts'
import { moveText, movesOf } from './moves.ts'
import { sessionNameOf } from './words/session-name.ts'
import type { TimelineOutput } from './schemas/timeline.ts'

/** The decisions of the runtime with reasons. The limit counts entries; highlights cover all that match. */
export function timelineReading(
  history: History,
  state: SessionState,
  { limit, ...filter }: TimelineFilter = {},
): TimelineOutput {
  const fitting = filterTimeline(timelineOf(history), filter)
  return {
    session: sessionNameOf(state),
    highlights: timelineHighlights(fitting, state.ledger).map(({ topic, text }) => ({ topic, text })),
    moves: movesOf(history).map((move) => ({ seq: move.seq, at: move.at, text: moveText(move) })),
    background: backgroundIn(history).map(({ seq, at, text }) => ({ seq, at, text })),
    agents: agentNews(history),
    hooks: hooksIn(history, 'all').map(({ kind: _kind, standing: _standing, ...hook }) => hook),
    entries: limit === undefined ? fitting : filterTimeline(fitting, { limit }),
  }
}
