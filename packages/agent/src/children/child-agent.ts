import type { SessionState } from '@loader/session-core'
import type { Approver, AskUser, ChildGrant, ChildSession, Reach, WorkspaceTrees } from '@loader/session-core/coding'
import type { SessionEvent, SessionStore, Signal } from '@loader/session-core'
import type { ChildLimits } from '@loader/workflow'

/** A kind of agent: what it is told, and what it may use. All of it can only take away. */
export interface AgentKind {
  readonly name: string
  /** When to use it, for the model. */
  readonly description: string
  /** What it is told besides its task. */
  readonly prompt: string
  /** Names of its tools; absent means those of the agent that begins it. */
  readonly tools?: readonly string[]
  readonly withoutTools?: readonly string[]
  /** The most that it can touch. */
  readonly reach?: Reach
  /** provider/id; absent means the model of the agent that begins it. */
  readonly model?: string
}

/** An agent over a child session, as far as its parent uses it. `Agent` is one. */
export interface ChildAgent {
  readonly session: { readonly state: SessionState | null }
  resumeSession(id: string): Promise<boolean>
  open(): Promise<void>
  run(task: string, options: ChildRun & { readonly mode?: 'execute' }): Promise<unknown>
  explore(question: string, options: ChildRun): Promise<unknown>
  continue(options: ChildRun): Promise<unknown>
  cancel(reason?: string, by?: string): void
  close(): Promise<void>
}

/** How a child is observed and cancelled, and who answers it. */
export interface ChildRun {
  readonly signal?: Signal
  readonly onEvent?: (event: SessionEvent | { readonly type: `delta.${string}` }) => void
  readonly approver?: Approver
  readonly askUser?: AskUser
}

/** A child that is to be begun or to go on. */
export interface ChildSetup {
  readonly parent: SessionState
  readonly child: Pick<ChildSession, 'id' | 'callId' | 'title' | 'depth' | 'place' | 'agent'>
  readonly grant: ChildGrant
  readonly kind: AgentKind | undefined
  /** Where it works; absent for one that looks at the folder of its parent. */
  readonly copy?: ChildCopy
}

/** A copy of the workspace for one child. */
export interface ChildCopy {
  readonly root: string
  /** Paths in it that are no files of it. */
  readonly shown: readonly string[]
}

/** Where copies are made, found and removed. */
interface ChildCopies {
  /** The copy of a session, or a new one of the tree that it had last. */
  open(sessionId: string, tree: string): Promise<ChildCopy>
  /** `torn`: it is here, and may not be whole. */
  find(sessionId: string): ChildCopy | 'torn' | undefined
  remove(sessionId: string): Promise<void>
}

/** What children need of the program that they run in. */
export interface ChildPorts {
  readonly kinds: ReadonlyMap<string, AgentKind>
  readonly limits: ChildLimits
  readonly store: () => SessionStore
  /** The trees of the workspace of the parent. Absent: no child can change files. */
  readonly trees: () => WorkspaceTrees | undefined
  readonly copies: ChildCopies
  /** Makes the agent of a child, with the trees of its copy. */
  begin(setup: ChildSetup): Promise<{ readonly agent: ChildAgent; readonly trees: WorkspaceTrees | undefined }>
}
