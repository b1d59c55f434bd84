import { compactionFailed, type CompactionPlan, planCompaction, shouldCompact, surelyFits } from '@loader/compaction'
import type { SessionState, Turn } from '@loader/session-core'
import type { Step } from '../words/step.ts'
import { hookFor } from './calls.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

type Cause = Extract<Step, { type: 'compact' }>['why']

/** What must happen before a request of that size, or undefined if it can be made. */
export function compactionStep(state: SessionState, turn: Turn): Step | undefined {
  if (surelyFits(state)) return undefined
  const size = shouldCompact(state)
  switch (size.need) {
    case 'none':
      return undefined
    case 'stuck':
      // Above the threshold but within the window: the request can still be made.
      if (size.over === 'threshold') return undefined
      return {
        type: 'finish',
        reason: 'context_exhausted',
        summary:
          `The request does not fit into the window of ${modelOf(state)}: ${size.reason}. ` +
          'Go on with a model that has a larger window, or begin a new session.',
      }
    case 'compact':
      return compactFor(state, turn, size.why)
    default:
      return size satisfies never
  }
}

function modelOf({ policy }: SessionState): string {
  return policy?.model?.model ?? 'the model'
}

function compactFor(state: SessionState, turn: Turn, why: 'threshold' | 'overflow'): Step | undefined {
  const plan = planFor(state, why)
  // Above the threshold without anything to fold: the budget is kept until there is.
  if (why === 'threshold' && plan === null) return undefined
  return hookFor(state, turn, 'pre_compact', undefined) ?? permitted(state, turn, { why, plan })
}

interface Wanted {
  readonly why: Cause
  readonly plan: CompactionPlan | null
}

/** A hook may refuse a compaction: a large request is then made as it is; if it exceeds the window, the turn ends. */
function permitted(state: SessionState, turn: Turn, wanted: Wanted): Step | undefined {
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) return stopped
  const refusal = refusedBy(turn)
  if (refusal === undefined) return fold(state, turn, wanted)
  if (wanted.why === 'threshold') return undefined
  const summary = `The request does not fit into the window of the model, and ${refusal}`
  return { type: 'finish', reason: 'context_exhausted', summary }
}

/** The reason of the hook that refused the compaction. */
function refusedBy({ hooks }: Turn): string | undefined {
  const refusal = hooks.find(({ on, decision }) => on === 'pre_compact' && decision === 'deny')
  if (refusal === undefined) return undefined
  const said = refusal.message === undefined ? '.' : `: ${refusal.message}`
  return `hook ${refusal.hook} refused to have it compacted${said}`
}

/** The only step of a turn in the lane `compact`. */
export function compactNow(state: SessionState, turn: Turn): Step {
  const { request, spent } = turn
  const done = state.compaction !== null && state.compaction.at >= turn.startedAt
  if (done) return { type: 'finish', reason: 'turn_complete', summary: 'The conversation was compacted.' }
  if (spent.compactions > 0 && request?.purpose !== 'summary') {
    return { type: 'finish', reason: 'compaction_failed', summary: 'There was nothing to fold that would gain room.' }
  }
  if (spent.compactions > 1) {
    return { type: 'finish', reason: 'compaction_failed', summary: 'No summary came about that would gain room.' }
  }
  const hook = hookFor(state, turn, 'pre_compact', undefined)
  if (hook !== undefined) return hook
  const refusal = refusedBy(turn)
  if (refusal === undefined) {
    const why = 'the user asked for it'
    return fold(state, turn, { why, plan: planFor(state, why) })
  }
  return { type: 'finish', reason: 'compaction_failed', summary: `The conversation stays as it is: ${refusal}` }
}

/** After the model refused a request as too long, even the newest messages may be folded. */
function planFor(state: SessionState, why: Cause): CompactionPlan | null {
  return planCompaction(state, why === 'overflow' ? { keepAtLeast: 0 } : {})
}

/**
 * Chooses who writes the summary. The model does, if the policy asks for that, the request was not refused as too long
 * and the model's last summary did not fail. Otherwise the runtime writes it from the state.
 */
function fold(state: SessionState, { request, spent }: Turn, { why, plan }: Wanted): Step {
  if (plan === null) {
    const failed = compactionFailed('local', 'There is nothing to fold whose removal would gain room.')
    return { type: 'decide', events: [failed] }
  }
  const hasFailed = why === 'the user asked for it' && spent.compactions > 0
  const byModel = state.policy?.compaction === 'model' && why !== 'overflow' && !hasFailed
  if (!byModel) return { type: 'compact', method: 'local', why, plan }
  if (request?.purpose !== 'summary') return { type: 'ask_model', purpose: 'summary', attempt: 1, plan }
  return { type: 'compact', method: request.status === 'answered' ? 'model' : 'local', why, plan }
}
