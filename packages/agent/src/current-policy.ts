import type { Backend, ModelCapabilities, Session, SessionState, SessionStore, Signal } from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import type { AgentConfig } from './config.ts'
import { policyFor } from './policy.ts'
import { budgetFor } from './budget.ts'
import { currentBackend } from './stage/current-backend.ts'
import { samePolicy } from './stage/same-policy.ts'
import { abortSource, untilAborted } from './stage/abort.ts'
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
  ports: Pick<
    AgentPorts,
    'backend' | 'fallback' | 'tools' | 'toolSource' | 'hooks' | 'rules' | 'walls' | 'workspace'
  > & {
    readonly store: SessionStore
  },
  config: AgentConfig,
  { session, audience, signal, show }: Run,
): Promise<Policy | undefined> {
  const { tools, hooks, rules, walls } = ports
  const backend = currentBackend(ports, session.state)
  const known = session.state.policy?.model ?? undefined
  const [described, held, budget] = await Promise.all([
    capabilities(backend, config, known, { signal, show }),
    walls?.(),
    budgetFor(backend, config),
  ])
  const model = withConfig(described, config)
  const fallback = fallbackOf(ports, config)
  const servers = ports.toolSource?.servers ?? []
  const about = {
    config,
    tools,
    servers,
    hooks,
    model,
    audience,
    rules: rules?.() ?? [],
    walls: held,
    budget,
    fallback,
  }
  const sources = { ...about, saves: savesOf(ports, config) }
  const policy = policyFor(sources, session.state)
  return samePolicy(session.state.policy, policy) ? undefined : policy
}

/** Whether files are stored with the session: its store keeps them, and the workspace can pack them. */
function savesOf(
  { store, workspace }: { readonly store: SessionStore } & Pick<AgentPorts, 'workspace'>,
  { carry = [] }: AgentConfig,
): Policy['saves'] {
  return store.keepsFiles === true && workspace.trees?.packs !== undefined ? { carry } : undefined
}

/** What the model can do, before a run begins. A backend that cannot be asked is asked again by the run, which tells. */
export async function capabilitiesNow(
  backend: Backend,
  config: AgentConfig,
  { policy }: SessionState,
): Promise<ModelCapabilities> {
  const signal = abortSource().signal
  return withConfig(await capabilities(backend, config, policy?.model, { signal, show: () => undefined }), config)
}

/** What the settings say of the model comes first. */
function withConfig(described: ModelCapabilities, config: AgentConfig): ModelCapabilities {
  const { nativeTools = described.nativeTools } = config
  const { contextWindow = described.contextWindow, images = described.images, documents = described.documents } = config
  return {
    ...described,
    nativeTools,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(images !== undefined && { images }),
    ...(documents !== undefined && { documents }),
  }
}

const usualFallbackAfterMs = 30_000

function fallbackOf(
  { backend, fallback }: Pick<AgentPorts, 'backend' | 'fallback'>,
  { fallbackAfterMs: afterMs = usualFallbackAfterMs }: AgentConfig,
): Policy['fallback'] {
  return fallback && { model: fallback.id, of: backend.id, afterMs }
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
