import type { SessionState, Turn } from '@loader/session-core'
import { completionStep } from '../completion/completion-step.ts'
import type { Step } from '../words/step.ts'
import { askStep } from './ask.ts'
import { limitsOf } from '../words/limits.ts'
import { completionEntry } from '../timeline/completion-entry.ts'
import { isPlanHeld } from '../permission/held-plan.ts'
import { hookFor } from './calls.ts'
import { heldPlanStep } from './held-plan.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/**
 * Decides whether the turn is done. In chat and exploration the answer ends it; other work is judged. Stop hooks run
 * before that, so that the judgement sees their changes.
 */
export function completingStep(state: SessionState, turn: Turn): Step {
  if (turn.lane === 'main' && isPlanHeld(state)) return heldPlanStep(state, turn)
  const hook = turn.phase === 'completion' ? undefined : stopHook(state, turn)
  if (hook !== undefined) return hook
  if (turn.lane !== 'main' || isTakenAtItsWord(state, turn))
    return wasSentBack(state, turn) ? askStep(state, turn) : answered(state, turn)
  const step = completionStep(state)
  return step.type === 'ask_model' && step.purpose === 'answer' ? askStep(state, turn) : step
}

/** Hooks may send the model back to work, within the budget, or end the turn at once. */
function stopHook(state: SessionState, turn: Turn): Step | undefined {
  const due = hookFor(state, turn, 'stop', undefined) ?? stoppedByHook(turn)
  if (due !== undefined) return due
  const refusal = turn.hooks.find(({ on, decision }) => on === 'stop' && decision === 'deny')
  if (refusal === undefined || turn.spent.nudges >= limitsOf(state.policy).maxNudges) return undefined
  const said = refusal.message ?? 'the work is not finished yet'
  const entry = completionEntry({
    mode: state.mode,
    stage: 'stop_hook',
    outcome: 'continue',
    code: 'stop_refused_by_hook',
    summary: `hook ${refusal.hook} refused the end of the turn: ${said}`,
  })
  const note = `[NOT DONE] A check of the user refuses to end here: ${said}`
  return { type: 'decide', events: [{ type: 'workflow.decided', entry, note }] }
}

/** With `completionCheck: false`, a turn without effects ends without a judgement. */
function isTakenAtItsWord({ policy }: SessionState, { work, doneWhen = [] }: Turn): boolean {
  return policy?.completionCheck === false && work.lastEffectSeq === null && doneWhen.length === 0
}

/** Whether a hook sent the model back after this answer. */
function wasSentBack({ completion }: SessionState, { phase, startedSeq }: Turn): boolean {
  return phase === 'completion' && completion?.kind === 'completion_continue' && completion.seq > startedSeq
}

function answered({ messages }: SessionState, { lane, request }: Turn): Step {
  const responseId = messages.at(-1)?.id
  return {
    type: 'finish',
    reason: 'turn_complete',
    summary: lane === 'chat' ? 'Answered in words.' : 'Answered the question.',
    ...(responseId !== undefined && responseId === request?.id && { responseId }),
  }
}
