import { type SessionState, summarize } from '@loader/session-core'
import type { SessionName } from '../schemas/session.ts'

/** Which session a reading is about, and up to which event. */
export function sessionNameOf(state: SessionState): SessionName {
  const { id, seq, gaps } = state
  return { id, title: summarize(state).title, seq, ...(gaps && { gaps: gaps.ranges }) }
}
