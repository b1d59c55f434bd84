import { type EventInput, type History, reduce, type SessionState, type Turn } from '@loader/session-core'
import type { Limits, Policy, ProjectFacts } from '@loader/session-core/coding'

export interface Work {
  readonly doneWhen?: readonly { readonly command: string; readonly text?: string }[]
  readonly facts?: ProjectFacts
  /** Files that the work has changed. */
  readonly changed?: Readonly<Record<string, 'added' | 'modified' | 'deleted'>>
  /** Commands that the work has run, and how they ended. */
  readonly commands?: readonly (readonly [command: string, outcome: 'ok' | 'failed'])[]
  readonly limits?: Limits
  readonly policy?: Partial<Policy>
  /** Events before the turn. */
  readonly earlier?: readonly EventInput[]
  /** Events at its end. */
  readonly finally?: readonly EventInput[]
}

const at = '2026-01-01T00:00:00.000Z'
const tree = (id: string) => ({ id, rest: 'none', leftOut: [] })

/** A turn in which something was done, before it is judged. */
export function atWork(work: Work = {}): { readonly state: SessionState; readonly turn: Turn } {
  const { changed = {}, commands = [], facts = {} } = work
  const calls = commands.map(([command], index) => ({ id: `call${index}`, name: 'bash', input: { command } }))
  const events: EventInput[] = [
    { type: 'session.opened', format: 1, id: 'ses', project: { root: '/project' } },
    {
      type: 'policy.applied',
      permission: {
        mode: 'allow',
        promptingEnabled: false,
        ruleCounts: { allow: 0, deny: 0, ask: 0 },
        rules: [],
        rulesSource: null,
      },
      limits: work.limits ?? {},
      audience: 'user',
      ...work.policy,
    },
    ...(work.earlier ?? []),
    { type: 'input.queued', inputId: 'in', text: 'Do it.', ...(work.doneWhen && { doneWhen: work.doneWhen }) },
    { type: 'turn.started', turnId: 'turn', inputId: 'in' },
    { type: 'model.asked', requestId: 'req', purpose: 'answer', attempt: 1 },
    {
      type: 'model.answered',
      requestId: 'req',
      finishReason: 'tool-calls',
      content: [{ type: 'text', text: 'Working.' }, ...calls.map((call) => ({ type: 'call' as const, call }))],
    },
    { type: 'workspace.observed', tree: tree('t0'), baselineOf: 'turn' },
    ...commands.flatMap(([command, outcome], index): EventInput[] => [
      { type: 'call.examined', callId: `call${index}`, effect: 'unknown', command },
      { type: 'tool.started', callId: `call${index}` },
      { type: 'tool.finished', callId: `call${index}`, outcome, text: '' },
    ]),
    {
      type: 'workspace.observed',
      facts,
      tree: tree('t1'),
      changed: Object.entries(changed).map(([path, change]) => ({ path, change })),
    },
    ...(work.finally ?? []),
  ]
  const history = events.map((event, index) => ({ ...event, seq: index + 1, at })) as History
  let state: SessionState | null = null
  for (const event of history) state = reduce(state, event)
  if (state?.turn == null) throw new Error('no turn is open')
  return { state, turn: state.turn }
}
