import type { SessionEvent } from '@loader/session-core'

/**
 * Output that is shown before it is stored, or is never stored: text as it arrives, output of a running tool, progress
 * of loading a model. Everything else comes as an event of the session.
 */
export type Delta =
  | { readonly type: 'delta.text'; readonly requestId: string; readonly text: string }
  | { readonly type: 'delta.reasoning'; readonly requestId: string; readonly text: string }
  | {
      readonly type: 'delta.call'
      readonly requestId: string
      readonly index: number
      readonly name: string
      readonly text: string
    }
  | { readonly type: 'delta.output'; readonly callId: string; readonly text: string }
  | { readonly type: 'delta.check'; readonly checkId: string; readonly text: string }
  | { readonly type: 'delta.status'; readonly message: string }

/** Durable events of the session, with live deltas between them. */
export type AgentEvent = SessionEvent | Delta
