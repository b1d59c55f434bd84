import type { SessionState, Turn } from '@loader/session-core'
import type { Move } from '../words/move.ts'

/**
 * Observes the files before calls that can change them: someone else may have changed files during the request, and
 * these changes must not be attributed to the calls.
 */
export function unseenBefore(state: SessionState, turn: Turn): Move | undefined {
  const seen = lastLook(state, turn)
  const isOfThisProcess = state.workspace?.looked?.epoch === state.epoch
  if (seen === undefined || (isOfThisProcess && seen > (turn.request?.seq ?? 0))) return undefined
  return { type: 'observe', look: { tree: 'alone' }, why: 'before calls that can change files' }
}

/** Observes the files right after such calls, before anyone else changes them. */
export function unseenAfter(state: SessionState, turn: Turn): Move | undefined {
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
