import type { SessionState, Turn } from '@loader/session-core'
import type { TimelineEntry, Verdict } from '@loader/session-core/coding'
import { goalOfTurn } from '../goal/goal-of-turn.ts'
import { needsVerification } from '../goal/needs-verification.ts'
import { standing } from '../goal/verdict-of.ts'
import type { Move } from '../move.ts'
import { latestAnswer } from './answers-of-turn.ts'

/** Completions that are no success: the turn ends for that reason. */
const unsuccessful = new Set(['verification_retry_budget_exhausted'])

/** The end of a turn whose completion was judged. It claims no more than the verdict. */
export function finishMove(state: SessionState, turn: Turn, { kind, reasonCode, summary }: TimelineEntry): Move {
  const verdict = verdictOfTurn(state, turn)
  const responseId = latestAnswer(state, turn)?.id
  return {
    type: 'finish',
    reason: kind === 'completion_finalize' || unsuccessful.has(reasonCode) ? reasonCode : 'turn_complete',
    summary: asSentence(summary.replace(/^completion:\s*/, '')),
    ...(responseId !== undefined && { responseId }),
    ...(verdict !== undefined && { verdict }),
  }
}

/** What can be said of the work of a turn at its end, whatever ends it. Undefined when there is nothing to verify. */
export function verdictOfTurn(state: SessionState, turn: Turn): Verdict | undefined {
  if (!needsVerification(state, turn)) return undefined
  return goalOfTurn(state) === null ? 'unverified' : (standing(state)?.verdict ?? 'unverified')
}

function asSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}
