import type { SessionState, Turn } from '@loader/session-core'
import { verdictOfTurn } from './completion/finish.ts'
import { answerStep } from './steps/answer.ts'
import { withinBudget } from './steps/budget.ts'
import { callsStep } from './steps/calls.ts'
import { completingStep } from './steps/completing.ts'
import { isPlanHeld } from './permission/held-plan.ts'
import { prepareStep } from './steps/prepare.ts'
import { restStep } from './steps/rest.ts'
import { stopStep } from './steps/stop.ts'
import { toolsStep } from './steps/tools.ts'
import { unsavedAfter, unseenAfter } from './steps/unseen.ts'
import type { Step } from './words/step.ts'

/**
 * The version of the rules by which steps are chosen; `policy.applied` records it. A history made under another
 * version is folded but its decisions are not recomputed, because these rules would decide differently. 2: permissions
 * depend on how far a call reaches. 3: the workspace is identified by git trees. 4: facts, statements and trials decide
 * how a turn ends. 5: a plan that the user asked for has to be approved; a model that is overloaded is waited for by time,
 * another one can take over, and a budget of money ends a turn.
 */
export const decisions = 5

/** Chooses the step of each phase, when no request, wait or call is left open. */
const phases: { readonly [Phase in Turn['phase']]: (state: SessionState, turn: Turn) => Step } = {
  prepare: prepareStep,
  assistant: answerStep,
  repair: answerStep,
  tools: toolsStep,
  completion: completingStep,
  finalize: completingStep,
}

/**
 * The next step of a session.
 *
 * Invariants:
 * 1. Total and pure: every state has exactly one next step, and the same state always has the same.
 * 2. A step that has an effect comes only when everything that it depends on has been recorded.
 * 3. Every way out of a turn is a `finish` with a reason of its own.
 * 4. Every retry and repair is counted against a limit in the state, so no turn can go on for ever.
 */
export function nextStep(state: SessionState): Step {
  const { turn } = state
  if (turn === null) return restStep(state)
  const step =
    stopStep(state, turn) ??
    unsavedAfter(state, turn) ??
    unsettledStep(state, turn) ??
    unseenAfter(state, turn) ??
    phases[turn.phase](state, turn)
  return withVerdict(withinBudget(step, state), state, turn)
}

/** Resolves what must be reconciled first: an interrupted request, a wait, or calls without a result. */
function unsettledStep(state: SessionState, turn: Turn): Step | undefined {
  const { request, wait } = turn
  if (request?.status === 'asked') {
    // Only reached when no stream is open, so the request was interrupted.
    const reason = request.epoch < state.epoch ? 'crashed' : 'cut'
    return { type: 'decide', events: [{ type: 'model.interrupted', requestId: request.id, reason }] }
  }
  if (wait !== null) {
    const { until, why, ms } = wait
    return { type: 'wait', until, why, ...(ms !== undefined && { ms }) }
  }
  return callsStep(state, turn)
}

/** Adds the verdict on the work to a turn that ends before it was judged. A plan is no work yet. */
function withVerdict(step: Step, state: SessionState, turn: Turn): Step {
  if (step.type !== 'finish' || step.verdict !== undefined || turn.lane !== 'main' || isPlanHeld(state)) return step
  const verdict = verdictOfTurn(state, turn)
  return verdict === undefined ? step : { ...step, verdict }
}
