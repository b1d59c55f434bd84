import type { Backend, SessionState } from '@loader/session-core'
import type { AgentPorts } from './stage.ts'

/** The model that the next request goes to: that of the agent, or the one that has taken over for the turn. */
export function currentBackend(
  { backend, fallback }: Pick<AgentPorts, 'backend' | 'fallback'>,
  { turn }: Pick<SessionState, 'turn'>,
): Backend {
  return fallback !== undefined && turn?.model === fallback.id ? fallback : backend
}
