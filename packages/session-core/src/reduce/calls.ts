import type { EventOf, EventType, StoredEvent } from '../events/event.ts'
import { stateCaps, type SessionState } from '../state/state.ts'
import { type OpenCall, type Turn, type Work, workCaps } from '../state/turn.ts'
import type { Message } from '../words/message.ts'
import { addTotals } from '../words/usage.ts'
import { impossible, movePhase, openTurn, type Changes, type Reducers } from './reducer.ts'
import { answersUser } from './turn.ts'

type CallEvents = Extract<EventType, `call.${string}` | `permission.decided` | `question.${string}` | `tool.${string}`>

export const callReducers: Reducers<Exclude<CallEvents, 'calls.recovered'> | 'hook.finished'> = {
  'call.examined': (state, event) => {
    const { turn, open } = unansweredCall(state, event)
    requireNotStarted(open, event)
    const { effect, reach, why, paths, hosts, intent, preview, command, question, apart, invalid } = event
    const about = { effect, reach, why, paths, hosts, intent, preview, command, question, invalid }
    const examined = apart === undefined ? about : { ...about, apart }
    return toTools(withCall(turn, { ...open, examined }), event)
  },

  'permission.decided': (state, event) => {
    const { turn, open } = unansweredCall(state, event)
    requireNotStarted(open, event)
    if (open.permit?.permit === 'deny')
      throw impossible(event, `call ${open.call.id} was denied`, 'Record tool.finished with denied.')
    const { permit, by, rule, reason, reach } = event
    return toTools(withCall(turn, { ...open, permit: { permit, by, rule, reason, reach } }), event)
  },

  'question.asked': (state, event) => {
    const turn = openTurn(state, event)
    if (turn.question !== null && turn.question.answer === undefined) {
      throw impossible(event, `question ${turn.question.id} is still open`, 'Record question.answered first.')
    }
    const { questionId: id, kind, callId } = event
    if (callId !== undefined) unansweredCall(state, { ...event, callId })
    return { turn: { ...turn, question: { id, kind, callId } } }
  },

  'question.answered': (state, event) => {
    const turn = openTurn(state, event)
    const { question } = turn
    if (question?.id !== event.questionId || question.answer !== undefined) {
      throw impossible(event, `question ${event.questionId} is not open`, 'Record question.asked first.')
    }
    const { outcome, answer, permit, scope, extent } = event
    return { turn: { ...turn, question: { ...question, answer: { outcome, answer, permit, scope, extent } } } }
  },

  'hook.finished': (state, event) => {
    // Session hooks also run between turns, where no call or input waits for them.
    if (state.turn === null && event.callId === undefined && event.input === undefined) return {}
    const turn = openTurn(state, event)
    const { hook, on, decision, callId, permit, message, answers } = event
    if (callId !== undefined) unansweredCallOrResult(turn, { ...event, callId })
    const changed = event.input === undefined ? turn : withInput(state, event, event.input)
    const ran = { hook, on, decision, callId, permit, message, ...(answers && { answers }) }
    return {
      turn: { ...changed, hooks: [...turn.hooks, ran], notes: [...turn.notes, ...contextOf(event)] },
      ...(on === 'session_started' && { hooksBegan: state.epoch }),
    }
  },

  'tool.started': (state, event) => {
    const { turn, open } = unansweredCall(state, event)
    requireNotStarted(open, event)
    if (open.permit && open.permit.permit !== 'allow') {
      const why = `the permission of call ${open.call.id} is ${open.permit.permit}`
      throw impossible(event, why, 'Record permission.decided with allow first, or tool.finished with denied.')
    }
    if (open.examined?.invalid !== undefined) {
      throw impossible(event, `call ${open.call.id} is not valid`, 'Record tool.finished with failed, and say why.')
    }
    const call = event.input === undefined ? open.call : { ...open.call, input: event.input }
    const contained = isContained(open, event.walls) && { contained: true as const }
    const started = withCall(turn, { ...open, call, startedEpoch: state.epoch, ...contained })
    const { reach } = open.permit ?? {}
    return {
      ...toTools({ ...started, work: withStart(turn.work, open, event) }, event),
      ...(hasEffect(open) && { lastEffectSeq: event.seq }),
      // What only looks installs nothing, however far it reaches.
      ...(hasEffect(open) && (reach === 'network' || reach === 'open') && { lastReachSeq: event.seq }),
    }
  },

  'tool.finished': (state, event) => {
    const { turn, open } = unansweredCall(state, event)
    requireOutcomeFits(open, event)
    const { callId, outcome, text, files } = event
    const result: Message = {
      id: callId,
      role: 'tool',
      origin: 'tool',
      content: [{ type: 'result', callId, name: open.call.name, outcome, text, files }],
      at: event.at,
    }
    const toolErrors = outcome === 'failed' ? turn.spent.toolErrors + 1 : outcome === 'ok' ? 0 : turn.spent.toolErrors
    const answered = withCall(turn, { ...open, outcome })
    const next: Turn = {
      ...answered,
      spent: { ...turn.spent, toolErrors },
      work: withOutcome(turn.work, { ...open, outcome }, event.seq),
      usage: addTotals(turn.usage, { toolCalls: 1 }),
    }
    return {
      ...toTools(next, event),
      messages: state.messages.append(result),
      usage: addTotals(state.usage, { toolCalls: 1 }),
      touchedFiles: withTouched(state, { ...open, outcome }),
      ...(open.startedEpoch !== undefined && hasEffect(open) && { lastEffectSeq: event.seq }),
      ...withUnknown(state, open, event),
    }
  },
}

/** An unknown outcome stays open until a later call shows the result. */
function withUnknown(
  { unknownCalls, goodCalls }: SessionState,
  { call, examined }: OpenCall,
  { callId, outcome, seq }: EventOf<'tool.finished'>,
): Changes {
  const what = (examined?.command ?? examined?.paths?.[0]?.path ?? call.name).slice(0, 200)
  const known = { call: callId, seq, what }
  if (outcome === 'unknown') return { unknownCalls: [...unknownCalls, known].slice(-stateCaps.unknownCalls) }
  if (outcome !== 'ok' || unknownCalls.length === 0) return {}
  return { goodCalls: [...goodCalls, known].slice(-stateCaps.goodCalls) }
}

type CallEvent = StoredEvent & { readonly callId: string }

/** Hooks run after a call as well. */
function unansweredCallOrResult(turn: Turn, event: CallEvent): void {
  if (turn.calls.some(({ call }) => call.id === event.callId)) return
  throw impossible(event, `the last answer made no call ${event.callId}`, 'Use the id of a call of model.answered.')
}

function unansweredCall(state: SessionState, event: CallEvent): { turn: Turn; open: OpenCall } {
  const turn = openTurn(state, event)
  const open = turn.calls.find(({ call }) => call.id === event.callId)
  if (open === undefined) {
    throw impossible(event, `the last answer made no call ${event.callId}`, 'Use the id of a call of model.answered.')
  }
  if (open.outcome === undefined) return { turn, open }
  throw impossible(event, `call ${event.callId} was answered already (${open.outcome})`, 'A call is answered once.')
}

function requireNotStarted({ call, startedEpoch }: OpenCall, event: StoredEvent): void {
  if (startedEpoch === undefined) return
  throw impossible(
    event,
    `call ${call.id} (${call.name}) started already, in epoch ${startedEpoch}`,
    'It may have taken effect: reconcile it with tool.finished, never start it again.',
  )
}

/** The outcomes ok, failed and unknown require that the call was started; denied requires that it was not. */
function requireOutcomeFits({ call, startedEpoch }: OpenCall, event: EventOf<'tool.finished'>): void {
  const started = startedEpoch !== undefined
  const { outcome } = event
  if (outcome === 'denied' && started) {
    throw impossible(event, `call ${call.id} had started, so it was not denied`, 'Use failed, interrupted or unknown.')
  }
  if ((outcome === 'ok' || outcome === 'unknown') && !started) {
    throw impossible(
      event,
      `call ${call.id} never started`,
      `Record tool.started before, or an outcome other than ${outcome}.`,
    )
  }
}

/** What a hook tells the model waits for the next request: between calls and their results there is no place for it. */
function contextOf({ hook, context, seq, at }: EventOf<'hook.finished'>): readonly Message[] {
  if (context === undefined) return []
  const text = `[HOOK ${hook}] ${context}`
  return [{ id: `hook_${seq}`, role: 'user', origin: 'note', content: [{ type: 'text', text }], at }]
}

function withCall(turn: Turn, changed: OpenCall): Turn {
  return { ...turn, calls: turn.calls.map((open) => (open.call.id === changed.call.id ? changed : open)) }
}

function withInput(state: SessionState, event: EventOf<'hook.finished'>, input: OpenCall['call']['input']): Turn {
  const { callId } = event
  if (callId === undefined) throw impossible(event, 'it changes the input of no call', 'Name the call in callId.')
  const { turn, open } = unansweredCall(state, { ...event, callId })
  requireNotStarted(open, event)
  return withCall(turn, { ...open, call: { ...open.call, input } })
}

/** Calls of an answer move the turn to the tools phase; those of a clarifying question do not. */
function toTools(turn: Turn, event: StoredEvent): Changes {
  if (turn.request === null || !answersUser(turn.request.purpose) || turn.request.purpose === 'clarify') return { turn }
  return movePhase(turn, event, 'tools', {
    kind: 'normal',
    reasonCode: 'execute_tool_batch',
    reason: 'Running the calls',
  })
}

/** The files that the call wrote, or may have written when its outcome is unknown. */
function withTouched(state: SessionState, { examined, outcome }: OpenCall): readonly string[] {
  const { touchedFiles } = state
  if (examined?.effect !== 'write' || (outcome !== 'ok' && outcome !== 'unknown')) return touchedFiles
  const written = new Set((examined.intent ?? examined.paths ?? []).map(({ path }) => path))
  const added = [...written].filter((path) => !touchedFiles.includes(path))
  return added.length === 0 ? touchedFiles : [...touchedFiles, ...added].slice(-stateCaps.touchedFiles)
}

/** A call that was never examined may do anything. */
function hasEffect({ examined }: OpenCall): boolean {
  return examined === undefined || examined.effect === 'write' || examined.effect === 'unknown'
}

function withStart(work: Work, open: OpenCall, { seq, walls }: EventOf<'tool.started'>): Work {
  if (!hasEffect(open)) return work
  return { ...work, lastEffectSeq: seq, ...(reachesOutside(open, walls) && { outside: true as const }) }
}

/** Whether a call could change files outside of the workspace other than those it names. */
function reachesOutside({ examined }: OpenCall, walls: EventOf<'tool.started'>['walls']): boolean {
  if (examined?.effect === 'write') return false
  if (examined?.reach === 'open' || walls === undefined) return true
  return !walls.guarantees.includes('files-outside-unwritable') || (walls.writable ?? []).length > 0
}

/** Whether all that a command can do to files and other programs lies in the workspace. */
function isContained({ examined }: OpenCall, walls: EventOf<'tool.started'>['walls']): boolean {
  if (examined?.command === undefined || walls === undefined) return false
  if (examined.reach !== 'work' && examined.reach !== 'look') return false
  const held = ['files-outside-unwritable', 'network-none', 'sockets-masked', 'processes-contained']
  return (walls.writable ?? []).length === 0 && held.every((each) => walls.guarantees.includes(each))
}

function withOutcome(work: Work, open: OpenCall, seq: number): Work {
  const { examined, outcome, startedEpoch } = open
  if (startedEpoch === undefined || outcome === undefined) return work
  const change = hasEffect(open)
  const command = examined?.command
  const intent = outcome === 'ok' ? (examined?.intent ?? []) : []
  const files = intent.map(({ path }) => path).filter((path) => !work.files.includes(path))
  return {
    calls: work.calls + (outcome === 'ok' ? 1 : 0),
    changes: work.changes + (outcome === 'ok' && change ? 1 : 0),
    lines: intent.reduce((lines, file) => lines + (file.lines ?? 0), work.lines),
    files: files.length === 0 ? work.files : [...work.files, ...files].slice(-workCaps.files),
    commands:
      command === undefined ? work.commands : [...work.commands, { command, outcome }].slice(-workCaps.commands),
    lastEffectSeq: change ? seq : work.lastEffectSeq,
    ...(work.outside && { outside: work.outside }),
  }
}
