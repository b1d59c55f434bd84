import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

const seconds = z.number().min(0)

const FleetWorker = z.object({
  id: z.string(),
  host: z.string().nullable(),
  pid: z.int().nullable(),
  version: z.string().nullable().describe('of loader'),
  projects: z.string().nullable().describe('the folder that it was given'),
  concurrency: z.int().nullable().describe('how many sessions it works on at once'),
  sessions: z.int().describe('how many it has now, by their leases'),
  there: z.boolean().describe('false when it has not been heard of in time'),
  goneForSeconds: seconds.describe('since when; 0 while it is there'),
})

const FleetSession = z.object({
  id: z.string(),
  title: z.string().nullable(),
  project: z.string().nullable().describe('the folder that it was begun in'),
  standing: z.enum(['queued', 'running', 'waiting', 'parked']).describe('waiting: an answer is needed'),
  worker: z.string().nullable().describe('that has it'),
  leaseLeftSeconds: z.number().nullable().describe('until its lease is over, unless it is renewed'),
  waitsForSeconds: seconds.describe('since it joined the line, or was given back last'),
  kills: z.int().describe('workers in a row that ended while they had it; one that has it now counts'),
  reason: z.string().nullable().describe('why it is parked, what it waits for, or why a worker left it'),
})

export const FleetOutput = z
  .object({
    workers: z.array(FleetWorker),
    sessions: z.array(FleetSession).describe('those in line, the first first; finished ones are in no line'),
    counts: z.object({ queued: z.int(), running: z.int(), waiting: z.int(), parked: z.int() }),
  })
  .describe('loader fleet --json')
export type FleetOutput = Immutable<z.infer<typeof FleetOutput>>
