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
        action: z
          .enum(['write', 'remove', 'make_folder', 'remove_folder'])
          .optional()
          .describe('how it goes back: what the turns have made is removed'),
        reason: z.string().optional().describe('why it is left alone, or goes back only so far'),
      }),
    ),
    unseen: z
      .array(z.object({ turnId: z.string(), why: z.string() }))
      .describe('turns whose changes are unknown; their files are left unchanged'),
  })
  .describe('loader rewind --json')
export type RewindOutput = Immutable<z.infer<typeof RewindOutput>>
