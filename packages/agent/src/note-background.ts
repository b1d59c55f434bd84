import type { SessionState } from '@loader/session-core'
import type { Background } from '@loader/session-core/coding'
import { backgroundEvents } from '@loader/workflow'
import type { WorkingSession } from './stage/stage.ts'

/** Records what has become of background commands since the last time. They change whenever they do, so each round asks. */
export function noteBackground(
  session: Pick<WorkingSession, 'id' | 'state' | 'recordAll'>,
  background: Background | undefined,
): void {
  if (background === undefined) return
  const events = backgroundEvents(session.state, background.now(session.id))
  if (events.length > 0) session.recordAll(events)
}

/** Whether the session knows of a command whose end it does not know. */
export function goesOn({ background = [] }: Pick<SessionState, 'background'>): boolean {
  return background.some(({ ended }) => ended === undefined)
}
