import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

export const RewindOutput = z
  .object({
    session: z.string(),
    done: z.boolean().describe('false for a preview'),
    turnIds: z.array(z.string()).describe('the turns that are taken back, oldest first'),
    input: z.string().describe('the words that began the first of them'),
    files: z.array(
      z.object({
        path: z.string(),
        outcome: z.enum(['restored', 'kept']),
        reason: z.string().optional().describe('why it was left alone'),
      }),
    ),
  })
  .describe('loader rewind --json')
export type RewindOutput = Immutable<z.infer<typeof RewindOutput>>
