import type { SessionState, Turn } from '@loader/session-core'
import type { Move } from '../words/move.ts'

/**
 * Before calls that can change files: while the model was asked, somebody else can have changed some, and what they did is
 * not to be taken for what these calls do.
 */
export function unseenBefore(state: SessionState, turn: Turn): Move | undefined {
  const seen = lastLook(state, turn)
  const isOfThisProcess = state.workspace?.looked?.epoch === state.epoch
  if (seen === undefined || (isOfThisProcess && seen > (turn.request?.seq ?? 0))) return undefined
  return { type: 'observe', look: { tree: 'alone' }, why: 'before calls that can change files' }
}

/** After such calls, while nobody else has had much time. */
export function unseenAfter(state: SessionState, turn: Turn): Move | undefined {
  const seen = lastLook(state, turn)
  if (seen === undefined || turn.work.lastEffectSeq === null || seen > turn.work.lastEffectSeq) return undefined
  return { type: 'observe', look: { tree: 'alone' }, why: 'after calls that can change files' }
}

/** When the files were last looked at; undefined where there is no tree of this turn to compare them with. */
function lastLook({ workspace }: SessionState, { id, lane }: Turn): number | undefined {
  const { baseline, looked } = workspace ?? {}
  if (lane !== 'main' || baseline?.turnId !== id || baseline.tree === null) return undefined
  return looked?.seq ?? 0
}
