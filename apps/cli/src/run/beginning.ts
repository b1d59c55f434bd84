import type { RuntimeHandle } from '@loader/agent'
import type { McpServers } from '@loader/mcp'
import type { Backend, FilePart, SessionRow, SessionStore, ThinkingLevel } from '@loader/session-core'
import type { PermissionRule, Policy } from '@loader/session-core/coding'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import type { AnswerSchema } from './answer-schema.ts'

/** What a run is begun with. */
export interface Beginning {
  readonly given: Given
  readonly console: Console
  readonly places: Places
  /** The text from standard input. */
  readonly piped: string
  readonly audience: Policy['audience']
  /** Overrides the given model. */
  readonly model?: string
  /** Overrides the given level of thinking. */
  readonly thinking?: ThinkingLevel
  /** Overrides the given session: the session to continue, or null for a new one. */
  readonly sessionId?: string | null
  /** Overrides the title of a new session. */
  readonly title?: string
  /** The id of a new session; generated if absent. */
  readonly newId?: string
  /**
   * A store that is open already, for a worker, which has prepared the folder. What a session of it brings along decides
   * nothing here.
   */
  readonly opened?: { readonly store: SessionStore; readonly address: StoreAddress }
  /** Called with the session's id as soon as it is known, before the session is claimed. */
  readonly onSession?: (id: string) => void
  /** Called with a note that does not end the run. */
  readonly onNote?: (note: string) => void
  /** Asks which of these sessions is meant; without it, an unknown name of a session ends the run. */
  readonly askWhich?: (
    question: string,
    rows: readonly SessionRow[],
    store: SessionStore,
  ) => Promise<SessionRow | undefined>
}

/** A run that has its session, its model and its agent. */
export interface Begun {
  readonly kind: 'begun'
  readonly given: Given
  readonly console: Console
  readonly places: Places
  readonly agent: RuntimeHandle
  readonly backend: Backend
  readonly store: SessionStore
  /** The database that it is in; absent where it is none. */
  readonly address?: StoreAddress
  readonly loaded: LoadedSettings
  /** What the answer has to match. */
  readonly answerSchema?: AnswerSchema
  /** The task; empty if an open turn is continued or the user has not entered one yet. */
  readonly task: string
  /** What a command of the user's own allows while its task is done. Set before each task. */
  readonly lent: { rules: readonly PermissionRule[] }
  /** Files that go with the task. */
  readonly files: readonly FilePart[]
  /** Files that the task names with an @. */
  readonly quote: readonly string[]
  /** Whether an existing session is continued. */
  readonly resumed: boolean
  /** The MCP servers of the run, if there are any. */
  readonly mcp?: McpServers
}
