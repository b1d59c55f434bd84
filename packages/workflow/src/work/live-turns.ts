import { type EventOf, isSessionEvent, type History } from '@loader/session-core'

/** The turns that no rewind has taken back. */
export function liveTurns(history: History): readonly EventOf<'turn.started'>[] {
  const turns: EventOf<'turn.started'>[] = []
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    if (event.type === 'turn.started') turns.push(event)
    if (event.type === 'session.rewound') {
      while ((turns.at(-1)?.seq ?? 0) > event.toSeq) turns.pop()
    }
  }
  return turns
}
