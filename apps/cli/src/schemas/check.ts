import type { Immutable } from '@loader/session-core'
import { Check, Judgement } from '@loader/session-core/coding'
import * as z from 'zod'

export const CheckOutput = z
  .object({
    session: z.string().nullable().describe('the session whose work is checked; null when there is none'),
    judgement: z.nullable(Judgement).describe('of all checks together; null when there are none'),
    checks: z.array(z.object({ check: Check, judgement: Judgement })),
    ran: z.int().min(0).describe('how many runs that took'),
    kept: z.int().min(0).describe('how many were kept from before, on the same files'),
  })
  .describe('loader check --json')
export type CheckOutput = Immutable<z.infer<typeof CheckOutput>>
