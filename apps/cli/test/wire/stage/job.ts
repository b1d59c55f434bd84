import { AgentConfig } from '@loader/agent'
import * as z from 'zod'
import { Protocol } from './protocols.ts'

/** Where a process kills itself, so that the moment is the same in every run. */
export const Moment = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('event'), type: z.string(), count: z.int().min(1) }),
  z.strictObject({ at: z.literal('event that says'), type: z.string(), text: z.string() }),
  z.strictObject({ at: z.literal('before tool'), name: z.string() }),
  z.strictObject({ at: z.literal('after tool'), name: z.string() }),
  z.strictObject({ at: z.literal('delta'), type: z.string(), text: z.string() }),
])
export type Moment = z.infer<typeof Moment>

/** What a process with an agent is to do. */
export const Job = z.strictObject({
  protocol: Protocol,
  url: z.string(),
  /** The name of the model; absent: the one of scripts. */
  model: z.string().optional(),
  /** A folder with the project, and beside it what is written down about the run. */
  root: z.string(),
  task: z.string(),
  doneWhen: z
    .array(z.strictObject({ command: z.string() }))
    .readonly()
    .optional(),
  config: AgentConfig.optional(),
  killAt: Moment.optional(),
})
export type Job = z.infer<typeof Job>

export const sessionId = 'wire'
