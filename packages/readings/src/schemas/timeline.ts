import type { Immutable } from '@loader/session-core'
import { TimelineEntry } from '@loader/session-core/coding'
import * as z from 'zod'
import { SessionName } from './session.ts'

/** The decisions of the runtime, as `loader timeline --json` prints them. */
export const TimelineOutput = z
  .object({
    session: SessionName,
    highlights: z
      .array(z.object({ topic: z.string(), text: z.string() }))
      .describe('the latest decision of each topic, and what has changed in the ledger'),
    entries: z.array(TimelineEntry).describe('in order; only those that the options ask for'),
  })
  .describe('loader timeline --json')
export type TimelineOutput = Immutable<z.infer<typeof TimelineOutput>>
