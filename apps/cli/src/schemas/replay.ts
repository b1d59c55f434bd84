import { JsonValue } from '@loader/session-core'
import * as z from 'zod'
import { SessionName } from '@loader/readings'

export const ReplayOutput = z
  .object({
    session: SessionName,
    kind: z
      .enum(['decided', 'folded'])
      .describe('folded: another version decided in it, so its events were folded, and not decided again'),
    replayed: z.int().describe('how many events were the same'),
    divergence: z
      .object({
        class: z.enum(['prompt', 'tool_schema', 'order', 'effect']).describe('what kind of difference it is'),
        seq: z.int().describe('of the recorded event; one more than the last when the history has ended'),
        path: z.string().describe('the field that differs; type when it is another event altogether'),
        expected: JsonValue.check(z.describe('as it was recorded')),
        actual: JsonValue.check(z.describe('as it is now; null when nothing comes')),
      })
      .nullable()
      .describe('the first difference; null when there is none'),
  })
  .describe('loader replay --json')
export type ReplayOutput = z.infer<typeof ReplayOutput>
