import type { Immutable } from '@loader/session-core'
import * as z from 'zod'
import { VerifyFinding } from './doctor.ts'

const Range = z.object({ first: z.int(), last: z.int() })

const VerifiedSession = z.object({
  id: z.string(),
  intact: z.boolean().describe('whether everything that was acknowledged is there, as it was written'),
  events: z
    .object({ first: z.int(), last: z.int(), missing: z.array(Range).describe('events that cannot be read') })
    .nullable()
    .describe('null when it could not be examined'),
  files: z.array(z.object({ file: z.string(), kind: z.string(), bytes: z.int(), found: z.string() })),
  findings: z.array(VerifyFinding),
  refused: z.string().nullable().describe('why it could not be examined'),
})
export type VerifiedSession = Immutable<z.infer<typeof VerifiedSession>>

export const VerifyOutput = z
  .object({
    sessions: z.array(VerifiedSession),
    damaged: z.int().describe('sessions that are damaged; with any, the exit code is 6'),
  })
  .describe('loader verify --json')
export type VerifyOutput = Immutable<z.infer<typeof VerifyOutput>>
