import type { Immutable } from '@loader/session-core'
import { ListeningPort, Reach } from '@loader/session-core/coding'
import * as z from 'zod'

const Living = z.object({
  id: z.string().describe('what loader stop takes'),
  session: z.string(),
  project: z.string().describe('its root'),
  command: z.string(),
  reach: Reach,
  keeps: z.boolean().describe('it goes on when loader ends'),
  startedAt: z.string(),
  ports: z.array(ListeningPort).describe('where it listens'),
})

export const PsOutput = z
  .object({ commands: z.array(Living).describe('those that go on, the oldest of each session first') })
  .describe('loader ps --json')
export type PsOutput = Immutable<z.infer<typeof PsOutput>>

export const StopOutput = z
  .object({
    stopped: z.array(z.string()).describe('those that have ended'),
    failed: z.array(z.string()).describe('those that go on nevertheless; with any, the exit code is 1'),
  })
  .describe('loader stop --json')
export type StopOutput = Immutable<z.infer<typeof StopOutput>>
