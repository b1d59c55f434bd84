import { JsonValue, type SessionState, type Signal, type ToolOutcome } from '@loader/session-core'
import { HookRun, type HookStart, Permission } from '@loader/session-core/coding'
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
    /** What the model is told of it. */
    readonly result?: string
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
  permit: z.optional(Permission).describe('before a call: what the policy says instead'),
  input: z.optional(JsonValue).describe('before a call: its arguments from now on'),
  message: z.string().optional().describe('for the model or the user'),
  context: z.string().min(1).optional().describe('what the model is told before its next answer'),
  answers: z
    .literal('allow')
    .optional()
    .describe('before a call: the answer to the question that the mode would ask; nothing where a rule decides'),
  note: z.string().min(1).optional().describe('for the user alone'),
  ran: z.optional(HookRun).describe('of a hook that is a command: which, and how it ended'),
})
export type HookVerdict = Readonly<z.infer<typeof HookVerdict>>

/** Code of the program that runs at a certain moment. Its verdict is recorded. */
export interface Hook {
  readonly name: string
  readonly on: HookMoment
  /** Around calls: whether it is for calls of this tool. Absent means for all. */
  readonly tools?: (name: string) => boolean
  run(occasion: HookOccasion): HookVerdict | undefined | Promise<HookVerdict | undefined>
  /**
   * Of a hook that the session does not wait for: it takes the place of `run`, has no effect yet, and says what is to run;
   * nothing, if the hook is not for this occasion.
   */
  begin?(occasion: HookOccasion): BegunHook | undefined
}

/** A background hook: the turn does not wait for it, and its output decides nothing. */
export interface BegunHook {
  readonly runs: HookStart
  /** Called once, when it is recorded durably that it begins. Aborted when the session is left. */
  run(signal: Signal): Promise<Pick<HookVerdict, 'context' | 'note'> & { readonly ran: HookRun }>
}
