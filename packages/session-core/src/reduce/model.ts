import type { EventOf, StoredEvent } from '../events/event.ts'
import { stateCaps, type SessionState } from '../state/state.ts'
import type { OpenCall, Request, Turn } from '../state/turn.ts'
import type { List } from '../words/list.ts'
import { callsOf, type AnswerPart, type Message, type ToolCall } from '../words/message.ts'
import type { PromptSnapshot } from '../words/prompt.ts'
import { addTotals } from '../words/usage.ts'
import { costOfRequest, type RequestEnd } from './cost-of-request.ts'
import {
  type Changes,
  impossible,
  movePhase,
  openTurn,
  type Reducers,
  requireAnsweredCalls,
  requireNoRequestUnderWay,
  requireOwnIds,
} from './reducer.ts'
import { answersUser, beginning, partialAnswer } from './turn.ts'

type ModelEvents = 'asked' | 'answered' | 'failed' | 'interrupted'
type Others = 'prompt.rendered' | 'answer.progressed' | 'calls.recovered' | 'wait.started' | 'wait.finished'

export const modelReducers: Reducers<`model.${ModelEvents}` | Others> = {
  'prompt.rendered': (state, event) => {
    const { seq, at, format, sections, toolsDigest, text } = event
    const snapshot: PromptSnapshot = {
      seq,
      at,
      format,
      sections,
      toolsDigest,
      workflowMode: state.mode,
      permissionMode: state.policy?.permission.mode ?? null,
      task: state.task,
      text,
    }
    const earlier = state.prompts.slice(1 - stateCaps.prompts).map(({ text: _text, ...rest }) => rest)
    return { prompts: [...earlier, snapshot] }
  },

  'model.asked': (state, event) => {
    const turn = openTurn(state, event)
    requireAnsweredCalls(state, event)
    requireNextAttempt(turn, event)
    const { requestId, purpose, attempt, at, model, atMostUsd } = event
    const first = attempt === 1
    // The time that one model was waited for does not count for another one.
    const before = turn.request?.id === requestId && turn.request.model === model ? turn.request : undefined
    const request: Request = {
      id: requestId,
      purpose,
      attempt,
      epoch: state.epoch,
      status: 'asked',
      at,
      seq: event.seq,
      partial: '',
      partialReasoning: '',
      model,
      atMostUsd,
      waitedMs: before?.waitedMs,
      refusals: turn.request?.id === requestId ? refusalsOf(turn.request) : undefined,
    }
    const joins = turn.pending !== null && purpose !== 'summary'
    const next: Turn = {
      ...turn,
      request,
      pending: joins ? null : turn.pending,
      notes: purpose === 'summary' ? turn.notes : [],
      calls: [],
      hooks: [],
      question: null,
      wait: null,
      waited: false,
      spent: {
        ...turn.spent,
        attempts: turn.spent.attempts + 1,
        iterations: turn.spent.iterations + (first && purpose === 'answer' ? 1 : 0),
      },
    }
    const answers = { kind: 'normal', reasonCode: 'request_assistant_response', reason: 'Asking the model' } as const
    return {
      ...(purpose === 'answer' ? movePhase(next, event, 'assistant', answers) : { turn: next }),
      messages: withWhatCameBefore(state, turn, { joins, first, purpose }, at),
    }
  },

  'answer.progressed': (state, event) => {
    const { turn, request } = requestUnderWay(state, event)
    requireSameEpoch(state, request, event)
    return {
      turn: {
        ...turn,
        request: {
          ...request,
          partial: request.partial + (event.text ?? ''),
          partialReasoning: request.partialReasoning + (event.reasoning ?? ''),
        },
      },
    }
  },

  'model.answered': (state, event) => {
    const { turn, request } = requestUnderWay(state, event)
    requireSameEpoch(state, request, event)
    const calls = callsOf(event.content)
    requireOwnIds(event, calls)
    const isMessage = answersUser(request.purpose) && !isEmpty(event.content)
    const answered: Request = {
      ...request,
      status: 'answered',
      partial: '',
      partialReasoning: '',
      finishReason: event.finishReason,
      ...(!isMessage && { answer: event.content }),
    }
    const message: Message = {
      id: request.id,
      role: 'assistant',
      origin: 'model',
      content: event.content,
      at: event.at,
    }
    return {
      ...spend(state, { ...turn, request: answered, calls: isMessage ? open(calls, request.id) : [] }, event),
      ...(isMessage && { messages: state.messages.append(message) }),
    }
  },

  'model.failed': (state, event) => {
    const { turn, request } = requestUnderWay(state, event)
    requireSameEpoch(state, request, event)
    return spend(state, { ...turn, request: { ...request, status: 'failed', error: event.error } }, event)
  },

  'model.interrupted': (state, event) => {
    const { turn, request } = requestUnderWay(state, event)
    const kept = partialAnswer(turn, event.at)
    // A request from an earlier claim did not end on purpose: its process had died.
    const crashed = request.epoch < state.epoch ? 1 : 0
    const spent = { ...turn.spent, crashes: turn.spent.crashes + crashed }
    const interrupted: Request = { ...request, status: 'interrupted', partial: '', partialReasoning: '' }
    return {
      ...spend(state, { ...turn, spent, request: interrupted }, event),
      ...(kept && { messages: state.messages.append(kept) }),
    }
  },

  'calls.recovered': (state, event) => {
    const turn = openTurn(state, event)
    const message = state.messages.at(-1)
    const answered = turn.request?.id === event.requestId && turn.request.status === 'answered'
    if (!answered || message?.id !== event.requestId || turn.calls.length > 0) {
      const why = `the last message is not the answer of request ${event.requestId} without calls`
      throw impossible(event, why, 'Recover calls right after the answer that hides them.')
    }
    requireOwnIds(event, event.calls)
    const content = [...message.content, ...event.calls.map((call) => ({ type: 'call' as const, call }))]
    const spent = { ...turn.spent, recoveries: turn.spent.recoveries + 1 }
    const next = { ...turn, spent, calls: open(event.calls, event.requestId) }
    const messages = state.messages.replaceLast({ ...message, content })
    if (turn.request?.purpose !== 'answer') return { turn: next, messages }
    const reroute = {
      kind: 'reroute',
      reasonCode: 'repair_raw_text_tool_fallback',
      reason: 'Reading calls out of the text',
    } as const
    return { ...movePhase(next, event, 'repair', reroute), messages }
  },

  'wait.started': (state, event) => {
    const turn = openTurn(state, event)
    requireNoRequestUnderWay(state, event)
    if (turn.wait !== null) throw impossible(event, 'a wait is under way', 'Record wait.finished first.')
    const { until, why, requestId, ms } = event
    const { request } = turn
    const wait = { until, why, requestId, ms }
    if (request === null || request.id !== requestId) return { turn: { ...turn, wait } }
    return { turn: { ...turn, wait, request: { ...request, waitedMs: (request.waitedMs ?? 0) + (ms ?? 0) } } }
  },

  'wait.finished': (state, event) => {
    const turn = openTurn(state, event)
    if (turn.wait === null) throw impossible(event, 'nothing is being waited for', 'Record wait.started first.')
    return { turn: { ...turn, wait: null, waited: true } }
  },
}

/** Adds the input of the turn at the first request, and keeps the shown text of a failed answer that is not retried. */
function withWhatCameBefore(
  { messages }: SessionState,
  turn: Turn,
  { joins, first, purpose }: { readonly joins: boolean; readonly first: boolean; readonly purpose: Request['purpose'] },
  at: string,
): List<Message> {
  if (joins) return messages.appendAll(beginning(turn, at))
  const partial = first && turn.request?.status === 'failed' ? partialAnswer(turn, at) : undefined
  const notes = purpose === 'summary' ? [] : turn.notes
  return partial === undefined && notes.length === 0
    ? messages
    : messages.appendAll([...(partial ? [partial] : []), ...notes])
}

function requireNextAttempt(turn: Turn, event: EventOf<'model.asked'>): void {
  const { request } = turn
  if (request?.status === 'asked') {
    const cure = 'Record model.answered, model.failed or model.interrupted first.'
    throw impossible(event, `request ${request.id} has no answer yet`, cure)
  }
  if (request?.id === event.requestId) {
    if (request.status === 'failed' && event.attempt === request.attempt + 1) return
    const why = `request ${request.id} was ${request.status} at attempt ${request.attempt}`
    throw impossible(event, why, 'Only a failed request is tried again, as the next attempt; else use a new id.')
  }
  if (event.attempt !== 1) {
    throw impossible(event, `request ${event.requestId} is new`, 'The first attempt at a request has number 1.')
  }
}

function requestUnderWay(
  state: SessionState,
  event: StoredEvent & { readonly requestId: string },
): { turn: Turn; request: Request } {
  const turn = openTurn(state, event)
  const { request } = turn
  if (request?.status === 'asked' && request.id === event.requestId) return { turn, request }
  const found = request === null ? 'none was made in this turn' : `the last one is ${request.id} (${request.status})`
  throw impossible(event, `request ${event.requestId} is not under way; ${found}`, 'Record model.asked first.')
}

/** An answer must come from the process that asked. A request from an earlier epoch was interrupted. */
function requireSameEpoch({ epoch }: SessionState, request: Request, event: StoredEvent): void {
  if (request.epoch === epoch) return
  throw impossible(
    event,
    `request ${request.id} was made in epoch ${request.epoch}, and this is epoch ${epoch}`,
    'It was cut off: record model.interrupted.',
  )
}

function isEmpty(content: readonly AnswerPart[]): boolean {
  return content.every((part) => part.type === 'text' && typeof part.text === 'string' && part.text.trim() === '')
}

function open(calls: readonly ToolCall[], requestId: string): OpenCall[] {
  return calls.map((call) => ({ call, requestId }))
}

/** Failures by which a server asks to come back later. */
const later: ReadonlySet<string> = new Set(['rate_limited', 'overloaded'])

/** How often this request was refused for the moment, the last attempt included. */
function refusalsOf({ refusals = 0, error }: Request): number | undefined {
  return (later.has(error?.kind ?? '') ? refusals + 1 : refusals) || undefined
}

function spend(state: SessionState, turn: Turn, end: RequestEnd): Changes {
  const { partial = '', partialReasoning = '', atMostUsd } = state.turn?.request ?? {}
  const arrived = partial !== '' || partialReasoning !== ''
  const cost = costOfRequest(end, { arrived, local: state.policy?.model?.local === true, atMostUsd })
  const spent = { ...end.usage, requests: 1, cost }
  return { turn: { ...turn, usage: addTotals(turn.usage, spent) }, usage: addTotals(state.usage, spent) }
}
