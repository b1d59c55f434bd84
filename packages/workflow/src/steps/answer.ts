import { callsOf, type Request, type SessionState, textOf, type Turn } from '@loader/session-core'
import { limitsOf } from '../words/limits.ts'
import type { Step } from '../words/step.ts'
import { callsInText } from '../text-calls/calls-in-text.ts'
import { repairEntry } from '../timeline/repair-entry.ts'
import { askStep } from './ask.ts'
import { completingStep } from './completing.ts'
import { failureStep } from './failure.ts'

/** After an answer without usable calls: repairs the answer, or decides whether the turn is done. */
export function answerStep(state: SessionState, turn: Turn): Step {
  const { request } = turn
  if (request === null || request.purpose !== 'answer') return askStep(state, turn)
  switch (request.status) {
    case 'failed':
      return failureStep(state, turn, request)
    case 'interrupted':
      return isLast(state, request) ? goOn(state, turn, request) : askStep(state, turn)
    case 'asked':
    case 'answered':
      return answered(state, turn, request)
    default:
      return request.status satisfies never
  }
}

function answered(state: SessionState, turn: Turn, request: Request): Step {
  // A newer message arrived that the model has not seen yet.
  if (request.answer === undefined && !isLast(state, request)) return askStep(state, turn)
  if (request.answer !== undefined) {
    return repaired(turn, request) ? askStep(state, turn) : repairEmpty(state, turn)
  }
  if (request.finishReason === 'content-filter') {
    return {
      type: 'finish',
      reason: 'content_filtered',
      summary: 'The provider withheld the answer.',
      responseId: request.id,
    }
  }
  if (request.finishReason === 'length' && turn.spent.repairs < limitsOf(state.policy).maxEmptyAnswers) {
    return repair(state, 'answer_truncated', 'the answer reached the limit of its length', {
      note: '[ANSWER CUT OFF] Your answer reached the limit of its length. Go on exactly where it ended.',
    })
  }
  return recovered(state, turn, request) ?? completingStep(state, turn)
}

/** Calls that a model wrote into its text instead of making them. */
function recovered(state: SessionState, turn: Turn, request: Request): Step | undefined {
  if (turn.lane === 'chat' || turn.spent.recoveries > limitsOf(state.policy).maxRecoveredCalls) return undefined
  const content = state.messages.at(-1)?.content ?? []
  if (callsOf(content).length > 0) return undefined
  const calls = callsInText(textOf(content), state.policy?.tools?.names ?? [])
  if (calls.length === 0) return undefined
  if (turn.spent.recoveries === limitsOf(state.policy).maxRecoveredCalls) {
    const summary = `The model wrote its calls as text ${turn.spent.recoveries} times; no more are read out of it.`
    const entry = repairEntry({
      mode: state.mode,
      outcome: 'failed',
      stage: 'raw_text_tool_fallback',
      code: 'raw_text_tool_recovery_exhausted',
      summary,
    })
    if (lastCode(state) !== entry.reasonCode) return { type: 'decide', events: [{ type: 'workflow.decided', entry }] }
    return { type: 'finish', reason: 'raw_text_tool_recovery_exhausted', summary, responseId: request.id }
  }
  const entry = repairEntry({
    mode: state.mode,
    outcome: 'retry',
    stage: 'raw_text_tool_fallback',
    code: 'raw_text_tool_recovered',
    summary: `read ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} out of the text of the answer`,
  })
  const found = calls.map((call, index) => ({
    ...call,
    id: `${request.id}_t${index + 1}`,
    recovered: true as const,
  }))
  return {
    type: 'decide',
    events: [
      { type: 'calls.recovered', requestId: request.id, calls: found },
      { type: 'workflow.decided', entry },
    ],
  }
}

function repairEmpty(state: SessionState, turn: Turn): Step {
  const { maxEmptyAnswers } = limitsOf(state.policy)
  const { repairs } = turn.spent
  if (repairs < maxEmptyAnswers) {
    return repair(state, 'empty_response_retry', 'the answer was empty', {
      stage: 'empty_response',
      note: '[EMPTY ASSISTANT RESPONSE] Your last answer was empty. Go on with the task: call a tool, or answer in words.',
    })
  }
  const summary = `The model answered with nothing ${repairs + 1} times.`
  if (lastCode(state) === 'empty_response_retry_exhausted') {
    return { type: 'finish', reason: 'empty_response_retry_exhausted', summary }
  }
  const entry = repairEntry({
    mode: state.mode,
    outcome: 'failed',
    stage: 'empty_response',
    code: 'empty_response_retry_exhausted',
    summary,
  })
  return { type: 'decide', events: [{ type: 'workflow.decided', entry }] }
}

/**
 * The answer was cut off and its text kept. Some models continue only after a message of another role, so one is added.
 */
function goOn(state: SessionState, turn: Turn, request: Request): Step {
  const over = turn.spent.crashes > limitsOf(state.policy).maxCrashes
  if (over) return askStep(state, turn)
  const why = request.epoch < state.epoch ? 'the process ended during the answer' : 'the answer was cut off'
  return repair(state, 'answer_interrupted', why, {
    note: '[ANSWER INTERRUPTED] Your answer was cut off here. What you wrote so far is kept; go on from it.',
  })
}

function repair(
  state: SessionState,
  code: string,
  summary: string,
  { note, stage = 'interrupted_response' }: { readonly note: string; readonly stage?: string },
): Step {
  const entry = repairEntry({ mode: state.mode, outcome: 'retry', stage, code, summary })
  return { type: 'decide', events: [{ type: 'workflow.decided', entry, note }] }
}

/** An empty answer is not kept as a message, so only the decision shows that it was repaired. */
function repaired({ phase, request }: Turn, { id }: Request): boolean {
  return phase === 'repair' && request?.id === id
}

function isLast(state: SessionState, { id }: Request): boolean {
  return state.messages.at(-1)?.id === id
}

function lastCode({ timeline }: SessionState): string | undefined {
  return timeline.at(-1)?.reasonCode
}
