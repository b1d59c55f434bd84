import type { Environment } from '@loader/session-core'

/** The environment with a timer. */
export interface AgentEnvironment extends Environment {
  /** Does the work once, later; returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void
}
