import type { EventOf, EventType, SessionEvent } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import {
  noWork,
  nothingSpent,
  type OpenCall,
  type QueuedInput,
  type Request,
  type Turn,
  unansweredCalls,
} from '../state/turn.ts'
import type { Message } from '../words/message.ts'
import { noTotals } from '../words/usage.ts'
import { type Apply, finished, inPhase, placeOf, reconciled } from './closings.ts'
import { lostPrefix } from './gap.ts'
import { inputMessage } from './turn.ts'

// Stand-ins for lost facts that an event after a gap needs. Their ids show that, and they contain no text.

const needsTurn: ReadonlySet<EventType> = new Set<EventType>([
  'model.asked',
  'answer.progressed',
  'model.answered',
  'model.failed',
  'model.interrupted',
  'calls.recovered',
  'call.examined',
  'permission.decided',
  'question.asked',
  'tool.started',
  'tool.finished',
  'input.taken',
  'turn.finished',
  'stop.requested',
  'statement.made',
  'verification.started',
  'workspace.observed',
  'wait.started',
])

/** Makes sure that a turn is open: if none is, its start is lost, and it gets the input that was waiting. */
export function withTurn(state: SessionState, event: SessionEvent): SessionState {
  if (state.turn !== null || !needsTurn.has(event.type)) return state
  const pending = state.queue[0] ?? lostInput(event)
  const id = 'turnId' in event && typeof event.turnId === 'string' ? event.turnId : `${lostPrefix}turn_${event.seq}`
  const turn: Turn = {
    id,
    inputId: pending.inputId,
    startedAt: event.at,
    startedSeq: event.seq,
    lane: 'main',
    phase: 'prepare',
    pending,
    notes: [],
    request: null,
    calls: [],
    question: null,
    hooks: [],
    wait: null,
    waited: false,
    stop: null,
    spent: nothingSpent,
    work: { ...noWork, lastEffectSeq: event.seq },
    usage: noTotals,
  }
  return { ...state, turn, queue: state.queue.slice(1) }
}

export function lostInput(event: SessionEvent): QueuedInput {
  const inputId =
    'inputId' in event && typeof event.inputId === 'string' ? event.inputId : `${lostPrefix}input_${event.seq}`
  return { inputId, text: '[The words of the user cannot be read.]', at: event.at }
}

/** The turn that the event names: its stand-in is renamed, or the open turn is closed and a new one opened. */
export function withTurnNamed(
  state: SessionState,
  event: SessionEvent & { readonly turnId: string },
  apply: Apply,
): SessionState {
  const { turn } = state
  if (turn?.id.startsWith(lostPrefix)) return { ...state, turn: { ...turn, id: event.turnId } }
  if (turn === null || turn.id === event.turnId) return withTurn(state, event)
  return withTurn(finished(state, event, apply), event)
}

function lostRequest(state: SessionState, event: SessionEvent, id: string): Request {
  return {
    id,
    purpose: 'answer',
    attempt: 1,
    epoch: state.epoch,
    status: 'asked',
    at: event.at,
    seq: event.seq,
    partial: '',
    partialReasoning: '',
  }
}

/** The request that is answered, assumed to have been for an answer, because its purpose is lost. */
export function withRequest(
  state: SessionState,
  event: SessionEvent & { readonly requestId: string },
  apply: Apply,
): SessionState {
  const before = reconciled(withTurn(state, event), event, apply)
  const asked: EventOf<'model.asked'> = {
    ...placeOf(event),
    type: 'model.asked',
    requestId: event.requestId,
    purpose: 'answer',
    attempt: 1,
  }
  return apply(inPhase({ ...before, turn: before.turn && { ...before.turn, request: null } }, 'prepare'), asked)
}

export function withFailedAttempt(state: SessionState, event: EventOf<'model.asked'>): SessionState {
  if (state.turn === null || event.attempt === 1) return state
  const request = { ...lostRequest(state, event, event.requestId), purpose: event.purpose }
  return { ...state, turn: { ...state.turn, request: { ...request, status: 'failed', attempt: event.attempt - 1 } } }
}

/** The answer whose text contained calls. */
export function withAnswer(state: SessionState, event: EventOf<'calls.recovered'>): SessionState {
  const { turn } = state
  if (
    turn === null ||
    unansweredCalls(turn).length > 0 ||
    state.messages.findLastIndex(({ id }) => id === event.requestId) >= 0
  )
    return state
  const request: Request = { ...lostRequest(state, event, event.requestId), status: 'answered' }
  const message: Message = { id: event.requestId, role: 'assistant', origin: 'model', content: [], at: event.at }
  const begun = beginningOf(state, event.at)
  const answered = { ...(begun.turn as Turn), request, calls: [], phase: 'assistant' as const }
  return { ...begun, turn: answered, messages: begun.messages.append(message) }
}

/** A call in a message of its own, because the answer that made it is lost together with the call's name. */
export function withCall(
  state: SessionState,
  event: SessionEvent & { readonly callId: string },
  apply: Apply,
): SessionState {
  if (state.turn?.calls.some(({ call }) => call.id === event.callId)) return state
  const call = { id: event.callId, name: 'lost_call', input: {} }
  const joined = joinedTo(state, call)
  if (joined !== undefined) return joined
  const before = reconciled(withTurn(state, event), event, apply)
  const requestId = `${lostPrefix}answer_${event.seq}`
  const begun = beginningOf(before, event.at)
  const request: Request = { ...lostRequest(before, event, requestId), status: 'answered' }
  const message: Message = {
    id: requestId,
    role: 'assistant',
    origin: 'model',
    content: [{ type: 'call', call }],
    at: event.at,
  }
  const turn = { ...(begun.turn as Turn), request, calls: [{ call, requestId }], phase: 'assistant' as const }
  return { ...begun, turn, messages: begun.messages.append(message) }
}

/** Calls of one lost answer share a message, as long as none of them has its result. */
function joinedTo(state: SessionState, call: OpenCall['call']): SessionState | undefined {
  const { turn, messages } = state
  const last = messages.at(-1)
  if (turn === null || last === undefined || turn.request?.id !== last.id) return undefined
  if (!last.id.startsWith(`${lostPrefix}answer_`)) return undefined
  const calls = [...turn.calls, { call, requestId: last.id }]
  const content = [...last.content, { type: 'call' as const, call }]
  return { ...state, turn: { ...turn, calls }, messages: messages.replaceLast({ ...last, content }) }
}

/** The input of the turn becomes a message, because an answer arrived. */
function beginningOf(state: SessionState, at: string): SessionState {
  const { turn } = state
  if (turn?.pending == null) return state
  const messages = state.messages.appendAll([inputMessage(turn.pending, 'input', at), ...turn.notes])
  return { ...state, messages, turn: { ...turn, pending: null, notes: [] } }
}

/** Adds the permission and start that a call must have had if it ran. */
export function withStart(state: SessionState, event: SessionEvent & { readonly callId: string }): SessionState {
  const { turn } = state
  const open = turn?.calls.find(({ call }) => call.id === event.callId)
  if (turn === null || open === undefined || open.outcome !== undefined) return state
  const ran = event.type === 'tool.finished' && (event.outcome === 'ok' || event.outcome === 'unknown')
  const changed = ran ? { ...open, startedEpoch: open.startedEpoch ?? state.epoch } : withoutPermit(open)
  const calls = turn.calls.map((other) => (other === open ? changed : other))
  return { ...state, turn: { ...turn, calls, phase: turn.phase === 'prepare' ? 'assistant' : turn.phase } }
}

function withoutPermit({ permit: _lost, ...open }: OpenCall): OpenCall {
  return open
}

export function withRunningCheck(state: SessionState, { evidence }: EventOf<'check.finished'>): SessionState {
  const { runId, checkId, command } = evidence
  return { ...state, runningCheck: { runId, checkId, command, epoch: state.epoch } }
}
