import type { BackgroundEnd, ListeningPort, PublishedPort } from '../words/background.ts'
import type { Reach } from '../words/policy.ts'

/** A background command of a session, as it is at this moment. */
export interface BackgroundNow {
  /** bg1, bg2, … */
  readonly id: string
  readonly callId?: string
  readonly command: string
  readonly cwd: string
  readonly reach: Reach
  readonly startedAt: string
  /** The mark of its first process. */
  readonly process?: string
  /** It goes on when the session is closed. */
  readonly keeps: boolean
  /** Absent while it goes on. */
  readonly ended?: { readonly how: BackgroundEnd; readonly exitCode?: number; readonly bytes?: number }
  readonly ports: readonly ListeningPort[]
  /** What was left at guarded paths while it went on, and was set aside: in words, each once. */
  readonly setAside?: readonly string[]
  /** Those of its ports that can be reached on the loopback of this machine. */
  readonly published: readonly PublishedPort[]
}

/** The background commands of sessions. The agent that runs the session records what it sees here. */
export interface Background {
  /** All commands of a session, in the order in which they were started. */
  now(sessionId: string): readonly BackgroundNow[]
  /** Ends those that do not outlive the session, and gives up what was published. */
  close(sessionId: string): Promise<void>
}
