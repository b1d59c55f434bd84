import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

export const DiffOutput = z
  .object({
    session: z.string(),
    turnIds: z.array(z.string()).describe('the turns that it is about, oldest first'),
    before: z.string().nullable().describe('id of the tree without what they did; null when they have changed nothing'),
    after: z.string().nullable().describe('id of the tree that they have left behind'),
    files: z.array(
      z.object({
        path: z.string(),
        change: z.enum(['added', 'modified', 'deleted', 'mode', 'type']),
        added: z.int().min(0).optional().describe('lines; absent where the file has none'),
        removed: z.int().min(0).optional(),
      }),
    ),
    patch: z.string().describe('all of it, as `git apply` takes it'),
    unseen: z.array(z.object({ turnId: z.string(), why: z.string() })).describe('turns whose changes are unknown'),
  })
  .describe('loader diff --json')
export type DiffOutput = Immutable<z.infer<typeof DiffOutput>>
