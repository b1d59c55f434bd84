import { type Immutable, type SessionState, summarize } from '@loader/session-core'
import * as z from 'zod'

/** The session that an output is about. */
export const SessionName = z.object({
  id: z.string(),
  title: z.string(),
  seq: z.int().describe('the last event that was read'),
})
export type SessionName = Immutable<z.infer<typeof SessionName>>

export function sessionNameOf(state: SessionState): SessionName {
  return { id: state.id, title: summarize(state).title, seq: state.seq }
}
