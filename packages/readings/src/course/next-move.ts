import type { SessionState } from '@loader/session-core'
import { nextStep, type Step } from '@loader/workflow'
import { callTitle } from '../words/call-title.ts'

/** What a session does next, from its state alone. */
export interface NextMove {
  readonly step: Step['type']
  /** The step in a sentence. */
  readonly said: string
  /** Why, where the step tells it. */
  readonly why: string | null
}

/**
 * The next step of a session in words. It is what a process would do that finds the session in this state: a request or
 * a call that is under way counts as cut off.
 */
export function nextMove(state: SessionState): NextMove {
  const step = nextStep(state)
  return { step: step.type, ...wordsOf(step, state) }
}

type Words = Pick<NextMove, 'said' | 'why'>

const only = (said: string): Words => ({ said, why: null })

function wordsOf(step: Step, state: SessionState): Words {
  switch (step.type) {
    case 'rest':
      return only('It rests, until someone says something.')
    case 'take_input':
      return only(
        step.as === 'steering' ? 'It takes what was said into the open turn.' : 'It begins a turn with what was said.',
      )
    case 'observe':
      return { said: 'It looks at the workspace.', why: step.why }
    case 'ask_model':
      return only(askWords(step))
    case 'examine_call':
      return only(`It examines ${titleOf(state, step.callId)}, without any effect.`)
    case 'run_hook':
      return only(`It runs the hooks for ${step.on}.`)
    case 'ask_user':
      return {
        said: step.kind === 'permit' ? 'It asks whether this may be done.' : 'It asks you a question.',
        why: step.reason ?? null,
      }
    case 'run_calls':
      return only(`It runs ${step.callIds.map((id) => titleOf(state, id)).join(', ')}.`)
    case 'refuse_call':
      return { said: `It does not run ${titleOf(state, step.callId)}.`, why: step.text }
    case 'reconcile_call':
      return only(`It looks what became of ${titleOf(state, step.callId)}, which was cut off.`)
    case 'begin_verification':
      return only('It begins to verify: it writes down on what the checks run, and what they are compared with.')
    case 'run_check':
      return only(`It runs the check \`${step.check.command}\` in the room ${step.experiment.room}.`)
    case 'compact':
      return { said: 'It folds older messages into a summary.', why: step.why }
    case 'decide':
      return decisionWords(step)
    case 'wait':
      return { said: `It waits until ${step.until}.`, why: step.why }
    case 'finish':
      return { said: `It ends the turn: ${step.verdict ?? step.reason}.`, why: step.summary }
    default:
      return step satisfies never
  }
}

function askWords({ purpose, attempt }: Extract<Step, { type: 'ask_model' }>): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  return purpose === 'answer' ? `It asks the model${again}.` : `It asks the model for a ${purpose}${again}.`
}

function decisionWords({ events }: Extract<Step, { type: 'decide' }>): Words {
  const decided = events.find((event) => event.type === 'workflow.decided')
  if (decided !== undefined && decided.type === 'workflow.decided') {
    return { said: `It decides: ${decided.entry.kind.replaceAll('_', ' ')}.`, why: decided.entry.summary }
  }
  const permit = events.find((event) => event.type === 'permission.decided')
  if (permit !== undefined && permit.type === 'permission.decided') {
    return { said: `It decides whether the call may run: ${permit.permit}.`, why: permit.reason ?? null }
  }
  return only(`It records ${[...new Set(events.map(({ type }) => type))].join(', ')}.`)
}

function titleOf({ turn }: SessionState, callId: string): string {
  const open = turn?.calls.find(({ call }) => call.id === callId)
  return `\`${open === undefined ? callId : callTitle(open.call)}\``
}
