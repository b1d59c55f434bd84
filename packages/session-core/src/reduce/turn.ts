import type { EventOf } from '../events/event.ts'
import { untoldEnds } from './background.ts'
import { untoldHooks } from './hooks-apart.ts'
import { stateCaps, type SessionState } from '../state/state.ts'
import { noWork, nothingSpent, type QueuedInput, type Turn } from '../state/turn.ts'
import type { List } from '../words/list.ts'
import type { Message } from '../words/message.ts'
import { transition } from '../words/phase.ts'
import { excerptOf, shownText } from '../words/stored-text.ts'
import { addTotals, noTotals } from '../words/usage.ts'
import {
  impossible,
  openTurn,
  type Reducers,
  requireAnsweredCalls,
  requireNoRequestUnderWay,
  requireRest,
} from './reducer.ts'

type Inputs = 'input.queued' | 'input.taken' | 'input.withdrawn'
type TurnEvents = Inputs | 'policy.applied' | 'permission.rule_added' | 'stop.requested'

/** An empty list takes back what an earlier task demanded. */
function demandOf(seq: number, doneWhen: NonNullable<Turn['doneWhen']>): SessionState['demanded'] {
  return doneWhen.length === 0 ? null : { seq, doneWhen }
}

export const turnReducers: Reducers<TurnEvents | 'turn.started' | 'turn.finished'> = {
  'policy.applied': (_state, { type: _type, seq: _seq, at: _at, ...policy }) => ({ policy }),

  'permission.rule_added': (state, event) => {
    if (state.policy === null) throw impossible(event, 'no policy was applied yet', 'Record policy.applied first.')
    const { permission } = state.policy
    const { rule } = event
    return {
      policy: {
        ...state.policy,
        permission: {
          ...permission,
          rules: [...permission.rules, rule],
          ruleCounts: { ...permission.ruleCounts, [rule.permit]: permission.ruleCounts[rule.permit] + 1 },
          promptingEnabled: permission.promptingEnabled || rule.permit === 'ask',
        },
      },
    }
  },

  'input.queued': (state, event) => {
    const { inputId, text, files, quoted, source, mode, lane, doneWhen, at } = event
    const waiting = [...state.queue, ...(state.turn?.pending ? [state.turn.pending] : [])]
    if (waiting.some((input) => input.inputId === inputId)) {
      throw impossible(event, `input ${inputId} is already waiting`, 'Give each input an id of its own.')
    }
    return {
      queue: [...state.queue, { inputId, text, files, quoted, source, mode, lane, doneWhen, at }],
      openingWords: state.openingWords ?? excerptOf(shownText(text), 80),
    }
  },

  'turn.started': (state, event) => {
    requireRest(state, event)
    if (state.lastTurn?.id === event.turnId) {
      throw impossible(event, `turn ${event.turnId} has ended`, 'Give each turn an id of its own.')
    }
    const input = queued(state, event)
    const lane = event.lane ?? 'main'
    const step = transition(null, 'prepare', {
      kind: 'normal',
      reasonCode: 'prepare_runtime',
      reason: 'Preparing the turn',
    })
    const { notes: ofCommands, ...commands } = untoldEnds(state, event.at)
    const { notes: ofHooks, ...hooks } = untoldHooks(state, event.at)
    const turn: Turn = {
      id: event.turnId,
      inputId: event.inputId,
      startedAt: event.at,
      startedSeq: event.seq,
      lane,
      requestedMode: event.mode,
      doneWhen: input.doneWhen ?? (lane === 'main' ? state.demanded?.doneWhen : undefined),
      phase: 'prepare',
      pending: input,
      notes: [...ofCommands, ...ofHooks],
      request: null,
      calls: [],
      question: null,
      hooks: [],
      wait: null,
      waited: false,
      stop: null,
      spent: nothingSpent,
      work: noWork,
      usage: noTotals,
    }
    return {
      ...commands,
      ...hooks,
      turn,
      queue: state.queue.filter((other) => other !== input),
      task: lane === 'main' ? input.text : state.task,
      timeline: state.timeline.latest(stateCaps.timelineOfEarlierTurns),
      ...(input.doneWhen !== undefined && { demanded: demandOf(event.seq, input.doneWhen) }),
      ...(step && { lastTransition: step }),
    }
  },

  'input.taken': (state, event) => {
    const turn = openTurn(state, event)
    requireAnsweredCalls(state, event)
    requireNoRequestUnderWay(state, event)
    if (turn.pending !== null) {
      throw impossible(event, `input ${turn.inputId} of the turn comes first`, 'Take inputs after the first request.')
    }
    const input = queued(state, event)
    return {
      queue: state.queue.filter((other) => other !== input),
      messages: state.messages.append(inputMessage(input, 'steering', event.at)),
    }
  },

  'input.withdrawn': (state, event) => {
    const input = queued(state, event)
    return { queue: state.queue.filter((other) => other !== input) }
  },

  'stop.requested': (state, event) => {
    const turn = openTurn(state, event, event.turnId)
    return { turn: { ...turn, stop: { by: event.by, reason: event.reason } } }
  },

  'turn.finished': (state, event) => {
    const turn = openTurn(state, event, event.turnId)
    requireAnsweredCalls(state, event)
    requireNoRequestUnderWay(state, event)
    const { reason, summary, responseId, verdict, judgement, end, notStored } = event
    if (responseId !== undefined && state.messages.findLastIndex(({ id }) => id === responseId) < 0) {
      throw impossible(event, `message ${responseId} is not in the window`, 'Name the message that answers the input.')
    }
    const step = transition(turn.phase, 'finalize', {
      kind: 'terminal',
      reasonCode: reason,
      reason: summary ?? 'Finalizing the turn',
    })
    const usage = addTotals(turn.usage, { iterations: turn.spent.iterations, turns: 1 })
    return {
      turn: null,
      messages: withWhatIsLeft(state.messages, turn, event.at),
      usage: addTotals(state.usage, { iterations: turn.spent.iterations, turns: 1 }),
      ...(step && { lastTransition: step }),
      // An end that names the calls has reported them to the model; any other end leaves them to be reported.
      ...(end !== undefined && { unknownCalls: [], goodCalls: [] }),
      lastTurn: {
        id: turn.id,
        inputId: turn.inputId,
        lane: turn.lane,
        startedAt: turn.startedAt,
        finishedAt: event.at,
        reason,
        summary,
        responseId,
        verdict,
        judgement,
        end,
        notStored,
        spent: turn.spent,
        usage,
        ...(turn.childUsage && { childUsage: turn.childUsage }),
      },
    }
  },
}

/** The first messages of a turn: its input, and notes made before the first request. */
export function beginning(turn: Turn, at: string): readonly Message[] {
  if (turn.pending === null) return []
  return turn.lane === 'compact' ? turn.notes : [inputMessage(turn.pending, 'input', at), ...turn.notes]
}

/** The words of the user with what goes with them. */
export function inputMessage(input: QueuedInput, origin: 'input' | 'steering', at: string): Message {
  return {
    id: input.inputId,
    role: 'user',
    origin,
    content: [
      { type: 'text', text: input.text },
      ...(input.quoted ?? []).map((quoted) => ({ type: 'text' as const, ...quoted })),
      ...(input.files ?? []),
    ],
    at,
  }
}

/** The answer as far as it had arrived, or undefined when none of it is worth keeping. */
export function partialAnswer(turn: Turn, at: string): Message | undefined {
  const { request } = turn
  if (request === null || request.partial.trim() === '' || !answersUser(request.purpose)) return undefined
  return {
    id: request.id,
    role: 'assistant',
    origin: 'model',
    content: [{ type: 'text', text: request.partial }],
    at,
    interrupted: true,
  }
}

/** Answers for these purposes become messages; others are only read by the runtime. */
export function answersUser(purpose: NonNullable<Turn['request']>['purpose']): boolean {
  return purpose === 'answer' || purpose === 'clarify'
}

/** A turn that ends early keeps the user's input and the text that was shown. */
function withWhatIsLeft(messages: List<Message>, turn: Turn, at: string): List<Message> {
  const partial = turn.request?.status === 'failed' ? partialAnswer(turn, at) : undefined
  // What hooks said after the last request is kept for the next turn.
  const untold = turn.pending === null ? turn.notes : []
  return messages.appendAll([...beginning(turn, at), ...(partial ? [partial] : []), ...untold])
}

function queued(state: SessionState, event: EventOf<'turn.started' | 'input.taken' | 'input.withdrawn'>): QueuedInput {
  const input = state.queue.find(({ inputId }) => inputId === event.inputId)
  if (input !== undefined) return input
  throw impossible(event, `input ${event.inputId} is not queued`, 'Record input.queued first.')
}
