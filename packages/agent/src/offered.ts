import type { Backend, ParentSession, SessionStore } from '@loader/session-core'
import type { Tool, ToolSource, WorkspaceTrees } from '@loader/session-core/coding'
import type { BackgroundCommands, BackgroundOptions, KeeperProgram, Project } from '@loader/workspace'
import type { ChildLimits } from '@loader/workflow'
import type { AgentKind, ChildAgent } from './children/child-agent.ts'
import type { AgentConfig } from './config.ts'

/** What an agent can do besides the usual. Each tool makes every request longer, so it has them only when it is told to. */
export interface OfferedTools {
  /** Commands that go on while others run, and the tools for them. Absent means that `bash` starts none. */
  readonly background?: (options: BackgroundOptions) => BackgroundCommands
  readonly tools: (background: BackgroundCommands | undefined) => readonly Tool[]
  /** The tool that gives tasks to child sessions. Absent means that there is none. */
  readonly agents?: (own: AgentOfChildren) => Tool
}

/** An agent of this machine that can have children. */
export interface AgentOfChildren {
  readonly root: string
  readonly project: Project
  readonly config: () => AgentConfig
  readonly store: () => SessionStore
  readonly trees: () => WorkspaceTrees | undefined
  readonly toolSource?: ToolSource
  /** Makes the agent of a child: as its own, but for these options. */
  begin(options: ChildOptions): { readonly agent: ChildAgent; readonly trees: WorkspaceTrees | undefined }
}

/** In what the agent of a child differs from that of its parent. */
export interface ChildOptions {
  readonly sessionId: string
  readonly parent: ParentSession
  readonly title: string
  /** The kind of agent, as hooks are told. */
  readonly agentType: string
  readonly config: AgentConfig
  readonly onlyTools: readonly string[]
  /** What it is told besides what its parent is told. */
  readonly told: string
  readonly toolSource?: ToolSource
  readonly backend?: Backend
  /** Where it works, if that is not the folder of its parent. */
  readonly copy?: { readonly root: string; readonly project: Project }
}

/** Which tools are wanted. */
export interface WantedTools {
  /** Whether `bash` can start commands that go on while others run, with the tools `background` and `publish`. */
  readonly background?: boolean
  /**
   * The program that owns commands which go on when this process ends: it calls `keepHere` of `@loader/workspace`. Absent means
   * that commands end with this process.
   */
  readonly keeper?: KeeperProgram
  /** Whether pages of the network can be fetched, with the tool `fetch`. */
  readonly fetch?: boolean
  /** Whether a part of the task can be given to child sessions, with the tool `agent`. */
  readonly agents?: WantedAgents
}

/** Which children an agent can have. */
export interface WantedAgents {
  /** Kinds of agents, by name. */
  readonly kinds?: ReadonlyMap<string, AgentKind>
  readonly limits?: Partial<ChildLimits>
  /** The model of a kind that names one: provider/id. */
  readonly backendOf?: (model: string) => Promise<Backend>
}
