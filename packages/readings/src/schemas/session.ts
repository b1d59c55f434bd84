import * as z from 'zod'

/** The session that an output is about. */
export const SessionName = z.object({
  id: z.string(),
  title: z.string(),
  seq: z.int().describe('the last event that was read'),
})
