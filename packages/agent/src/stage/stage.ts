import type { Backend, Session, Signal } from '@loader/session-core'
import type {
  Approver,
  AskUser,
  Background,
  PermissionRule,
  Policy,
  Tool,
  ToolSource,
  ValidExamination,
  Workspace,
} from '@loader/session-core/coding'
import type { Delta } from './agent-event.ts'
import type { AgentEnvironment } from './environment.ts'
import type { Hook } from './hooks.ts'
import type { HooksApart } from './hooks-apart.ts'

/** Everything outside the session that an agent works with. */
export interface AgentPorts {
  readonly backend: Backend
  /** Takes over for the rest of a turn when the backend is overloaded. */
  readonly fallback?: Backend
  readonly tools: readonly Tool[]
  /** More tools, which others provide and which can change during a run. */
  readonly toolSource?: ToolSource
  readonly workspace: Workspace
  readonly environment: AgentEnvironment
  readonly hooks: readonly Hook[]
  /** Permission rules besides those of the settings, read for each decision, so that added rules apply at once. */
  readonly rules?: () => readonly PermissionRule[]
  /** Commands that go on while others run. Absent means that there are none. */
  readonly background?: Background
  /** Looks for commands of an earlier process that the session knows of, where there are no others. */
  readonly findBackground?: () => Promise<Background>
  /** The walls that commands run in. If absent, walls are unknown and not recorded. */
  readonly walls?: () => Promise<NonNullable<Policy['walls']>>
}

/** The part of a session that steps use: of an open session, or of a replayed one. */
export interface WorkingSession extends Pick<
  Session,
  'id' | 'state' | 'blobs' | 'record' | 'recordAll' | 'durable' | 'append' | 'save' | 'storeText' | 'readText'
> {
  /** Starts to store the recorded events without waiting, before work that takes a while and needs no durable event. */
  send(): void
}

/** Where the steps of one run are performed. */
export interface Stage extends AgentPorts {
  readonly session: WorkingSession
  /** Calls the listener for every event that is durable; absent where only the steps record events. */
  readonly subscribe: Session['subscribe'] | undefined
  /** The current mode and rules; undefined if they cannot change during a run. */
  readonly permission: (() => Policy['permission']) | undefined
  /** Records the current policy, if it differs. */
  readonly applyPolicy: () => Promise<void>
  /** Aborted when the turn is to stop. */
  readonly signal: Signal
  readonly approver: Approver | undefined
  readonly askUser: AskUser | undefined
  /** Whether the run is a shift: it ends with the turn, or at a question, which stays open. */
  readonly shift: boolean
  /** Instruction files of the project, outermost first. */
  readonly projectInstructions: readonly { readonly path: string; readonly text: string }[]
  /** What the user wants a summary to emphasize. */
  readonly instructions: string | undefined
  /** The permitted examination of each call of this run, by call id. */
  readonly examinations: Map<string, ValidExamination<unknown>>
  readonly show: (delta: Delta) => void
  /** Background hooks, from the first one on. Absent in a replay, which takes what was recorded. */
  readonly hooksApart?: { going?: HooksApart }
}
