import type { Environment } from '@loader/session-core'

/** Time as an agent needs it: besides looking at the clock, it waits. */
export interface AgentEnvironment extends Environment {
  /** Does the work once, later; returns the way to call it off. */
  after(milliseconds: number, work: () => void): () => void
}
