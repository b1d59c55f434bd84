import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

export const ForkOutput = z
  .object({
    id: z.string().describe('the copy'),
    title: z.string().nullable().describe('null when the copy keeps the title'),
    from: z.object({ id: z.string(), seq: z.int().describe('the last event that was copied') }),
  })
  .describe('loader fork --json')
export type ForkOutput = Immutable<z.infer<typeof ForkOutput>>
