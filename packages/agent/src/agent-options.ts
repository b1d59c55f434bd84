import type { FilePart, Owner, ParentSession, SessionStore, Signal } from '@loader/session-core'
import type { Approver, AskUser, WorkflowMode } from '@loader/session-core/coding'
import type { AgentConfig } from './config.ts'
import type { LoopEnd } from './loop.ts'
import type { AgentEvent } from './stage/agent-event.ts'
import type { AgentPorts } from './stage/stage.ts'

export interface AgentOptions extends AgentPorts {
  readonly store: SessionStore
  readonly config?: AgentConfig
  /** Id of a new session; generated if absent. */
  readonly sessionId?: string
  readonly title?: string
  /** The session that begins this one for a part of its own task. */
  readonly parent?: ParentSession
  /** This process, as the session records its writer. */
  readonly process?: Pick<Owner, 'program' | 'pid' | 'host'>
}

/** How a run is observed, how the user is asked, and how it is cancelled. */
export interface RunOptions {
  readonly signal?: Signal
  /** Durable events of the session, and live deltas. */
  readonly onEvent?: (event: AgentEvent) => void
  /** Decides about calls that need permission; without it they are denied at once. */
  readonly approver?: Approver
  /** Answers questions of the model; without it they stay unanswered. */
  readonly askUser?: AskUser
}

/** How a shift is observed and cancelled. No question is asked while it lasts. */
export type ShiftOptions = Pick<RunOptions, 'signal' | 'onEvent'>

/**
 * How a shift ended. `rest`: there is nothing to do. `turn_ended`: a turn has ended; more may be queued. `waiting`: an
 * answer is needed, which anyone who can write to the store may give. `paused`: the turn is open, for the next shift.
 */
export type ShiftEnd = LoopEnd

/** Options of a task. */
export interface TaskOptions extends RunOptions {
  readonly mode?: WorkflowMode
  /** Images and files for the model. `partsOf` of `@loader/tools` makes them of files, in a form that models take. */
  readonly files?: readonly FilePart[]
  /**
   * Files that the task names, relative to the workspace. The model gets them with the task, as the tool `read` shows
   * them now; of what it may not read, it gets the reason.
   */
  readonly quote?: readonly string[]
  /** Commands that must succeed for the task to be done, instead of the checks of plan and project. */
  readonly doneWhen?: readonly { readonly command: string; readonly text?: string }[]
}

/** Options of a task that another process works on. */
export interface QueueOptions extends Pick<TaskOptions, 'mode' | 'files' | 'doneWhen'> {
  /** The id of the input; one that was used is refused. */
  readonly inputId?: string
  readonly onHeld?: (session: { readonly id: string; readonly epoch: number }) => Promise<void>
}
