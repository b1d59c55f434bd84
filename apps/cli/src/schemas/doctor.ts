import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

const DoctorCheck = z.object({
  name: z.string(),
  state: z.enum(['ok', 'note', 'warning', 'failure']),
  message: z.string().describe('what was found, and what to do about it'),
})
export type DoctorCheck = Immutable<z.infer<typeof DoctorCheck>>

export const VerifyFinding = z.object({
  file: z.string(),
  offset: z.int().optional().describe('where in the file it begins, where that can be told'),
  what: z.string(),
  message: z.string(),
  severity: z.enum(['damage', 'note']),
})

const DoctorSession = z.object({
  id: z.string(),
  intact: z.boolean(),
  events: z.int().describe('the last one that can be read'),
  findings: z.array(VerifyFinding),
  repaired: z
    .object({
      id: z.string().describe('the copy that goes on'),
      kept: z.int().describe('events that are in it'),
      lost: z.array(z.object({ what: z.string(), why: z.string() })),
    })
    .nullable()
    .describe('with --repair, for a damaged session'),
  copy: z.string().nullable().describe('the copy that was made of it before; none is made again'),
  refused: z.string().nullable().describe('why it could not be examined, or why no copy could be made'),
})
export type DoctorSession = Immutable<z.infer<typeof DoctorSession>>

export const DoctorOutput = z
  .object({
    checks: z
      .array(DoctorCheck)
      .describe('this machine, the settings, and where sessions are kept; with any failure, the exit code is 1'),
    sessions: z.array(DoctorSession),
    damaged: z.int().describe('sessions that are damaged; with any, the exit code is 6'),
  })
  .describe('loader doctor --json')
export type DoctorOutput = Immutable<z.infer<typeof DoctorOutput>>
