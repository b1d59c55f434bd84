import type { Backend, ModelCapabilities, Session, Signal } from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import type { AgentConfig } from './config.ts'
import { policyFor } from './policy.ts'
import { samePolicy } from './stage/same-policy.ts'
import { untilAborted } from './stage/abort.ts'
import type { Delta } from './stage/agent-event.ts'
import type { AgentPorts } from './stage/stage.ts'

interface Run {
  readonly session: Session
  readonly audience: Policy['audience']
  readonly signal: Signal
  readonly show: (delta: Delta) => void
}

/** The current policy, if it differs from the last recorded one. */
export async function currentPolicy(
  { backend, tools, hooks, rules, walls }: Pick<AgentPorts, 'backend' | 'tools' | 'hooks' | 'rules' | 'walls'>,
  config: AgentConfig,
  { session, audience, signal, show }: Run,
): Promise<Policy | undefined> {
  const known = session.state.policy?.model ?? undefined
  const [described, held] = await Promise.all([capabilities(backend, config, known, { signal, show }), walls?.()])
  const { nativeTools = described.nativeTools, contextWindow = described.contextWindow } = config
  const model = { ...described, nativeTools, ...(contextWindow !== undefined && { contextWindow }) }
  const sources = { config, tools, hooks, model, audience, rules: rules?.() ?? [], walls: held }
  const policy = policyFor(sources, session.state)
  return samePolicy(session.state.policy, policy) ? undefined : policy
}

/**
 * The capabilities that the backend reports. If it cannot be asked, the recorded ones stay: the next request will
 * report the same error.
 */
async function capabilities(
  backend: Backend,
  { describeModel = true }: AgentConfig,
  known: ModelCapabilities | undefined,
  { signal, show }: Pick<Run, 'signal' | 'show'>,
): Promise<ModelCapabilities> {
  const before = known?.model === backend.id ? known : { model: backend.id, nativeTools: true }
  if (!describeModel || backend.describe === undefined) return { model: backend.id, nativeTools: true }
  try {
    return (await untilAborted(backend.describe({ signal }), signal)) ?? before
  } catch (error) {
    if (!(error instanceof Error)) throw error
    show({ type: 'delta.status', message: `${backend.id} could not be asked what it can do: ${error.message}` })
    return before
  }
}
