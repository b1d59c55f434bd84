import { Gap, type Immutable } from '@loader/session-core'
import * as z from 'zod'

/** The session that an output is about. */
export const SessionName = z.object({
  id: z.string(),
  title: z.string(),
  seq: z.int().describe('the last event that was read'),
  gaps: z.array(Gap).optional().describe('events that cannot be read, and whose effects are unknown; absent for none'),
})
export type SessionName = Immutable<z.infer<typeof SessionName>>
