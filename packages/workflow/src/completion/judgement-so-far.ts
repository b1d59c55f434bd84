import type { SessionState, Turn } from '@loader/session-core'
import type { TimelineEntry } from '@loader/session-core/coding'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'

/** What was decided about one answer so far. It begins anew when the model is sent back, and with every effect. */
export interface JudgementSoFar {
  /** What is older than this belongs to an earlier judgement. */
  readonly since: number
  readonly entries: readonly TimelineEntry[]
}

export function judgementSoFar(state: SessionState, turn: Turn): JudgementSoFar {
  const decided = decisionsOfTurn(state, turn)
  const sentBack = decided.findLast(({ kind }) => kind === 'completion_continue')?.seq ?? turn.startedSeq
  const since = Math.max(sentBack, turn.work.lastEffectSeq ?? 0)
  return { since, entries: decided.filter(({ seq }) => seq > since) }
}

const retryCodes = new Set(['verification_failed_reentry', 'verification_failed_no_new_changes'])

/** How often failed verification has sent the work back in this turn. */
export function retriesOf(state: SessionState, turn: Turn): number {
  return decisionsOfTurn(state, turn).filter((entry) => isRetry(entry)).length
}

export function isRetry({ kind, reasonCode }: TimelineEntry): boolean {
  return kind === 'completion_continue' && retryCodes.has(reasonCode)
}
