import type { SessionState, Turn } from '@loader/session-core'
import { bridgeText, hasRecentBridge } from './bridge-text.ts'
import type { Step, Recorded } from '../words/step.ts'
import { isPlanHeld } from '../permission/held-plan.ts'
import { planAwaits } from '../planning/plan-approval.ts'
import { routeSignalsOf } from './route-signals-of.ts'
import { routeTask } from '../routing/route-task.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'
import { askStep } from './ask.ts'
import { hookFor } from './calls.ts'
import { compactNow } from './compaction.ts'
import { failureStep } from './failure.ts'
import { followRoute } from './follow-route.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/** The steps before the first answer that lane and mode require. */
export function prepareStep(state: SessionState, turn: Turn): Step {
  const { lane, request } = turn
  if (request?.status === 'failed') return failureStep(state, turn, request)
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) return stopped
  const hook =
    turn.pending === null ? undefined : (beginHook(state, turn) ?? hookFor(state, turn, 'prompt_submitted', undefined))
  if (hook !== undefined) return hook
  switch (lane) {
    case 'chat':
      return askStep(state, turn)
    case 'explore':
      return factsStep(state, turn) ?? askStep(state, turn)
    case 'compact':
      return compactNow(state, turn)
    case 'main':
      return factsStep(state, turn) ?? routeStep(state, turn) ?? followRoute(state, turn) ?? askStep(state, turn)
    default:
      return lane satisfies never
  }
}

/** Once for each process that works on the session, before its first request. */
function beginHook(state: SessionState, turn: Turn): Step | undefined {
  return state.hooksBegan === state.epoch ? undefined : hookFor(state, turn, 'session_started', undefined)
}

/** Observes the kind of project again, which may have changed since the last turn. */
function factsStep({ workspace }: SessionState, turn: Turn): Step | undefined {
  if (workspace !== null && workspace.seq > turn.startedSeq) return undefined
  return { type: 'observe', look: { facts: true }, why: 'at the start of the turn' }
}

function routeStep(state: SessionState, { requestedMode }: Turn): Step | undefined {
  if (decisionsOfTurn(state).some(({ kind }) => kind === 'route' || kind === 'reentry')) return undefined
  if (requestedMode === undefined && isPlanHeld(state)) {
    return { type: 'decide', events: [...todosOfThisTask(state), { type: 'workflow.decided', entry: planAwaits() }] }
  }
  // In a non-interactive run, the user cannot answer questions.
  const clarification = state.policy?.audience === 'user' ? 'allowed' : 'over'
  const entry = routeTask({ signals: routeSignalsOf(state), clarification })
  const bridge = entry.mode === 'execute' && !hasRecentBridge(state) ? bridgeText(state) : null
  const freed = isPlanHeld(state) && entry.mode === 'execute' ? planningIsOver : null
  const note = [freed, bridge].filter((part) => part !== null).join('\n\n')
  return {
    type: 'decide',
    events: [...todosOfThisTask(state), { type: 'workflow.decided', entry, ...(note !== '' && { note }) }],
  }
}

/** The user approves a plan of an earlier turn by asking for its work. */
const planningIsOver =
  '[PLAN APPROVED] Planning is over, and changes are allowed now. Carry out your plan, as far as it is what the task asks for.'

/** Todos of a finished task are removed. Those of an interrupted task are kept. */
function todosOfThisTask({ todos, lastTurn }: SessionState): readonly Recorded[] {
  const over = lastTurn?.reason === 'turn_complete' || todos.every(({ status }) => status === 'completed')
  return over && todos.length > 0 ? [{ type: 'todos.updated', todos: [] }] : []
}
