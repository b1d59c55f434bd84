import type { Backend, Session, Signal } from '@loader/session-core'
import type {
  Approver,
  AskUser,
  PermissionRule,
  Policy,
  Tool,
  ValidExamination,
  Workspace,
} from '@loader/session-core/coding'
import type { Delta } from './agent-event.ts'
import type { AgentEnvironment } from './environment.ts'
import type { Hook } from './hooks.ts'

/** Everything outside the session that an agent works with. */
export interface AgentPorts {
  readonly backend: Backend
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly environment: AgentEnvironment
  readonly hooks: readonly Hook[]
  /** Permission rules besides those of the settings, read whenever a call is decided: what was added holds at once. */
  readonly rules?: () => readonly PermissionRule[]
  /** What commands run in. Absent: nothing is known about it, and nothing is recorded. */
  readonly walls?: () => Promise<NonNullable<Policy['walls']>>
}

/** What moves need of a session: the one that is open, or one that is replayed. */
export interface WorkingSession extends Pick<
  Session,
  'id' | 'state' | 'blobs' | 'record' | 'recordAll' | 'durable' | 'append' | 'save' | 'storeText' | 'readText'
> {
  /** Has what was recorded stored now, without waiting: for what takes a while, and needs nothing to be durable. */
  send(): void
}

/** Where the moves of one run are performed. */
export interface Stage extends AgentPorts {
  readonly session: WorkingSession
  /** Mode and rules as they are now; absent where they cannot change during a run. */
  readonly permission: (() => Policy['permission']) | undefined
  /** Records the policy as it is now, if it differs. */
  readonly applyPolicy: () => Promise<void>
  /** Aborted when the turn is to stop. */
  readonly signal: Signal
  readonly approver: Approver | undefined
  readonly askUser: AskUser | undefined
  /** Instruction files of the project, outermost first. */
  readonly projectInstructions: readonly { readonly path: string; readonly text: string }[]
  /** What the user wants a summary to dwell on. */
  readonly instructions: string | undefined
  /** What each call of this run was permitted for, by its id. */
  readonly examinations: Map<string, ValidExamination<unknown>>
  readonly show: (delta: Delta) => void
}
