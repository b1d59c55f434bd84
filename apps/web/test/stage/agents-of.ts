import { type Environment, type EventInput, noTotals, type ParentSession, Session } from '@loader/session-core'
import type { SessionStore } from '@loader/session-core'

/** What an agent comes to; without an end it works on. */
export interface TestAgent {
  readonly id: string
  readonly title: string
  readonly kind?: string
  readonly outcome?: 'ok' | 'failed' | 'interrupted' | 'unknown'
  readonly verdict?: 'verified' | 'failed'
  readonly taken?: readonly string[]
  readonly conflicts?: readonly string[]
  readonly agents?: readonly TestAgent[]
}

interface Made {
  readonly id: string
  readonly title: string
  readonly agents?: readonly TestAgent[]
  readonly parent?: ParentSession
}

/** A session that has given parts of its task to agents, and a session for each of them. */
export async function sessionWithAgents(
  store: SessionStore,
  { id, title, agents = [], parent }: Made,
  environment: Environment,
): Promise<void> {
  const session = await Session.open(store, { environment, id, title, ...(parent && { parent }) })
  const callOf = (agent: TestAgent) => `call_${agent.id}`
  await session.append([
    { type: 'input.queued', inputId: 'in_1', text: title },
    { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
    { type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 1, model: 'test/model' },
    {
      type: 'model.answered',
      requestId: 'req_1',
      content: [
        { type: 'text', text: 'I split it.' },
        ...agents.map((agent) => ({
          type: 'call' as const,
          call: { id: callOf(agent), name: 'agent', input: { description: agent.title } },
        })),
      ],
      finishReason: agents.length === 0 ? 'stop' : 'tool-calls',
      usage: { inputTokens: 900, outputTokens: 100 },
      cost: { kind: 'priced', amount: 0.0125, currency: 'USD', source: 'test' },
    },
    ...agents.map((agent): EventInput => ({ type: 'tool.started', callId: callOf(agent) })),
  ])
  const depth = (parent?.depth ?? 0) + 1
  for (const agent of agents) await session.append(begun(agent, callOf(agent), depth))
  for (const agent of agents) {
    const of = { id, callId: callOf(agent), depth }
    await sessionWithAgents(store, { ...agent, parent: of }, environment)
    if (agent.outcome !== undefined) await session.append(ended(agent))
  }
  await session.close()
}

function begun({ id, title, kind, taken, conflicts }: TestAgent, callId: string, depth: number): EventInput[] {
  const place = taken === undefined && conflicts === undefined ? 'look' : 'copy'
  const grant = { mode: 'read-only', within: 'look', tools: ['read', 'agent'], turns: 9 } as const
  return [
    {
      type: 'child.assigned',
      childId: id,
      callId,
      title,
      task: title,
      ...(kind !== undefined && { agent: kind }),
      depth,
      place,
      grant,
    },
    { type: 'child.opened', childId: id },
  ]
}

function ended({ id, outcome = 'ok', verdict, taken = [], conflicts = [], agents = [] }: TestAgent): EventInput[] {
  const requests = 1 + agents.length
  const cost = { usd: 0.0125 * requests, known: requests }
  const usage = { ...noTotals, requests, inputTokens: 900 * requests, outputTokens: 100 * requests, cost }
  const files = [
    ...taken.map((path) => ({ path, outcome: 'merged' as const })),
    ...conflicts.map((path) => ({ path, outcome: 'conflict' as const })),
  ]
  return [
    { type: 'child.finished', childId: id, outcome, ...(verdict && { verdict }), usage, text: '' },
    ...(files.length === 0 ? [] : [{ type: 'child.merged', childId: id, files } as const]),
  ]
}
