import type { SessionState, Turn } from '@loader/session-core'
import { bridgeText, hasRecentBridge } from './bridge-text.ts'
import type { Move, Recorded } from '../words/move.ts'
import { routeSignalsOf } from './route-signals-of.ts'
import { routeTask } from '../routing/route-task.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'
import { askMove } from './ask.ts'
import { hookFor } from './calls.ts'
import { compactNow } from './compaction.ts'
import { failureMove } from './failure.ts'
import { followRoute } from './follow-route.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/** The moves before the first answer that lane and mode require. */
export function prepareMove(state: SessionState, turn: Turn): Move {
  const { lane, request } = turn
  if (request?.status === 'failed') return failureMove(state, turn, request)
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) return stopped
  const hook = turn.pending === null ? undefined : hookFor(state, turn, 'prompt_submitted', undefined)
  if (hook !== undefined) return hook
  switch (lane) {
    case 'chat':
      return askMove(state, turn)
    case 'explore':
      return factsMove(state, turn) ?? askMove(state, turn)
    case 'compact':
      return compactNow(state, turn)
    case 'main':
      return factsMove(state, turn) ?? routeMove(state) ?? followRoute(state, turn) ?? askMove(state, turn)
    default:
      return lane satisfies never
  }
}

/** Observes the kind of project again, which may have changed since the last turn. */
function factsMove({ workspace }: SessionState, turn: Turn): Move | undefined {
  if (workspace !== null && workspace.seq > turn.startedSeq) return undefined
  return { type: 'observe', look: { facts: true }, why: 'at the start of the turn' }
}

function routeMove(state: SessionState): Move | undefined {
  if (decisionsOfTurn(state).some(({ kind }) => kind === 'route' || kind === 'reentry')) return undefined
  // In a non-interactive run, the user cannot answer questions.
  const clarification = state.policy?.audience === 'user' ? 'allowed' : 'over'
  const entry = routeTask({ signals: routeSignalsOf(state), clarification })
  const note = entry.mode === 'execute' && !hasRecentBridge(state) ? bridgeText(state) : null
  return {
    type: 'decide',
    events: [...todosOfThisTask(state), { type: 'workflow.decided', entry, ...(note !== null && { note }) }],
  }
}

/** Todos of a finished task are removed. Those of an interrupted task are kept. */
function todosOfThisTask({ todos, lastTurn }: SessionState): readonly Recorded[] {
  const over = lastTurn?.reason === 'turn_complete' || todos.every(({ status }) => status === 'completed')
  return over && todos.length > 0 ? [{ type: 'todos.updated', todos: [] }] : []
}
