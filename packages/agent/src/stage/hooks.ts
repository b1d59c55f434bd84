import { JsonValue, type SessionState, type Signal, type ToolOutcome } from '@loader/session-core'
import { Permit } from '@loader/session-core/coding'
import type { HookMoment } from '@loader/workflow'
import * as z from 'zod'

/** What a hook receives: the moment, the state of the session, and the call, if there is one. */
export interface HookOccasion {
  readonly on: HookMoment
  readonly state: SessionState
  /** Aborted when the turn is to stop; after that the hook is no longer waited for. */
  readonly signal: Signal
  /** For a hook around a call: which one, and how it ended if it has. */
  readonly call?: {
    readonly id: string
    readonly name: string
    readonly input: JsonValue
    readonly outcome?: ToolOutcome
  }
}

/** The result of a hook. An empty one lets everything continue. */
export const HookVerdict = z.strictObject({
  decision: z
    .enum(['continue', 'deny', 'cancel', 'fail'])
    .optional()
    .describe(
      'deny refuses: the input, the call, the end of the turn or the compaction; cancel and fail end the turn; absent ' +
        'means that everything goes on',
    ),
  permit: z.optional(Permit).describe('before a call: what the policy says instead'),
  input: z.optional(JsonValue).describe('before a call: its arguments from now on'),
  message: z.string().optional().describe('for the model or the user'),
})
export type HookVerdict = Readonly<z.infer<typeof HookVerdict>>

/** Code of the program that runs at a certain moment. Its verdict is recorded. */
export interface Hook {
  readonly name: string
  readonly on: HookMoment
  run(occasion: HookOccasion): HookVerdict | undefined | Promise<HookVerdict | undefined>
}
