import type { SessionState, Turn } from '@loader/session-core'
import type { Move } from '../move.ts'

/**
 * After the calls of an answer: what they have left behind is looked at while nobody else has had much time to change it.
 * Undefined where there is nothing to see, or no tree to compare it with.
 */
export function unseenMove({ workspace }: SessionState, { id, lane, work }: Turn): Move | undefined {
  if (lane !== 'main' || work.lastEffectSeq === null) return undefined
  const { baseline, looked } = workspace ?? {}
  if (baseline?.turnId !== id || baseline.tree === null) return undefined
  if ((looked?.seq ?? 0) > work.lastEffectSeq) return undefined
  return { type: 'observe', look: { tree: 'alone' }, why: 'after calls that can change files' }
}
