import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

const CopyOfSession = z.object({
  id: z.string().describe('the same in both places'),
  title: z.string(),
  outcome: z
    .enum(['copied', 'there', 'refused'])
    .describe('there: the same session was there already; refused: nothing of it was copied'),
  events: z.int().describe('how many were compared; 0 when it was refused'),
  texts: z.int().describe('long texts'),
  sha256: z.string().nullable().describe('of events and long texts, equal in both places; null when it was refused'),
  reason: z.string().nullable().describe('why it was refused'),
})
export type CopyOfSession = Immutable<z.infer<typeof CopyOfSession>>

export const CopyOutput = z
  .object({
    from: z.string().describe('files, or an address'),
    to: z.string(),
    sessions: z.array(CopyOfSession),
    refused: z.int().describe('how many'),
  })
  .describe('loader sessions copy --json')
export type CopyOutput = Immutable<z.infer<typeof CopyOutput>>
