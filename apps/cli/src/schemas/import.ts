import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

export const ImportOutput = z
  .object({
    id: z.string().describe('the new session'),
    title: z.string(),
    source: z.object({ kind: z.string(), id: z.string().nullable(), path: z.string() }),
    events: z.int(),
    turns: z.int(),
    messages: z.int().describe('in the window'),
    losses: z.array(z.string()).describe('what was not taken over, in words'),
    records: z
      .object({ read: z.int(), understood: z.int(), skipped: z.record(z.string(), z.int()) })
      .nullable()
      .describe('of the file; null for exports of Loader, which are taken over whole'),
    before: z.array(z.string()).describe('sessions that the same conversation was imported as before'),
  })
  .describe('loader import --json')
export type ImportOutput = Immutable<z.infer<typeof ImportOutput>>
