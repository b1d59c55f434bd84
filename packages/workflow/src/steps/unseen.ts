import type { SessionState, Turn } from '@loader/session-core'
import type { Step } from '../words/step.ts'

/**
 * Observes the files before calls that can change them: the user or another program may have changed files
 * during the request, and these changes must not be attributed to the calls.
 */
export function unseenBefore(state: SessionState, turn: Turn): Step | undefined {
  const seen = lastLook(state, turn)
  const isOfThisProcess = state.workspace?.looked?.epoch === state.epoch
  if (seen === undefined || (isOfThisProcess && seen > (turn.request?.seq ?? 0))) return undefined
  return { type: 'observe', look: { tree: 'alone' }, why: 'before calls that can change files' }
}

/**
 * Where files are stored with the session, they are observed after each such call, before its result is told to anyone:
 * before the next call, a hook or a question. So nothing is acknowledged without its files.
 */
export function unsavedAfter(state: SessionState, turn: Turn): Step | undefined {
  if (state.policy?.saves === undefined) return undefined
  const isRunning = turn.calls.some(({ startedEpoch, outcome }) => startedEpoch !== undefined && outcome === undefined)
  return isRunning ? undefined : unseenAfter(state, turn)
}

/** Observes the files right after such calls, before anyone else changes them. */
export function unseenAfter(state: SessionState, turn: Turn): Step | undefined {
  const seen = lastLook(state, turn)
  if (seen === undefined || turn.work.lastEffectSeq === null || seen > turn.work.lastEffectSeq) return undefined
  return { type: 'observe', look: { tree: 'alone' }, why: 'after calls that can change files' }
}

/** When the files were last observed; undefined if this turn has no tree to compare with. */
function lastLook({ workspace }: SessionState, { id, lane }: Turn): number | undefined {
  const { baseline, looked } = workspace ?? {}
  if (lane !== 'main' || baseline?.turnId !== id || baseline.tree === null) return undefined
  return looked?.seq ?? 0
}
