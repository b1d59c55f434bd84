import type { SessionState, Turn } from '@loader/session-core'
import { limitsOf } from '../limits.ts'
import type { Move } from '../move.ts'
import { completionEntry } from '../timeline/completion-entry.ts'
import { hookFor } from './calls.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/** Hooks may send a model that wants to end back to work, within the budget; or end the turn at once. */
export function stopHook(state: SessionState, turn: Turn): Move | undefined {
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
