import type { Immutable } from '@loader/session-core'
import { TimelineEntry } from '@loader/session-core/coding'
import * as z from 'zod'
import { SessionName } from './session.ts'
import { ShownHook } from './show.ts'

/** The decisions of the runtime, as `loader timeline --json` prints them. */
export const TimelineOutput = z
  .object({
    session: SessionName,
    highlights: z
      .array(z.object({ topic: z.string(), text: z.string() }))
      .describe('the latest decision of each topic, and what has changed in the ledger'),
    moves: z
      .array(z.object({ seq: z.int(), at: z.string(), text: z.string() }))
      .describe('where the session went on in another folder, and what was left out on the way'),
    background: z
      .array(z.object({ seq: z.int(), at: z.string(), text: z.string() }))
      .describe('what background commands did: they started, listened, ended, and were published'),
    agents: z
      .array(z.object({ seq: z.int(), at: z.string(), id: z.string().describe('the child session'), text: z.string() }))
      .describe('what child sessions did: they got a task, began, ended, and what they changed was taken over'),
    hooks: z.array(ShownHook.omit({ kind: true, standing: true })).describe('each hook that ran, and what it said'),
    entries: z.array(TimelineEntry).describe('in order; only those that the options ask for'),
  })
  .describe('loader timeline --json')
export type TimelineOutput = Immutable<z.infer<typeof TimelineOutput>>
