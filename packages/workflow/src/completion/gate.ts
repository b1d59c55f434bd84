import { excerptOf, type SessionState, textOf, type Turn } from '@loader/session-core'
import { needsVerification } from '../goal/needs-verification.ts'
import type { Move } from '../move.ts'
import { verifySkipEntry } from '../timeline/verify-entry.ts'
import { latestAnswer } from './answers-of-turn.ts'
import { nudgesLeft } from './budgets.ts'
import { type Reason, sendBack, settle } from './decisions.ts'
import { missingFiles } from './looks.ts'
import { artifactsMissingNote, pendingWorkNote } from './notes.ts'
import { openTodos } from './open-todos.ts'
import { verificationMove } from './verification.ts'

const stage = 'definition_of_done'

/** Whether the definition of done is met: what was planned is there, nothing is left open, and the checks agree. */
export function gateMove(state: SessionState, turn: Turn): Move {
  const missing = missingFiles(state)
  if (missing.length > 0) return planned(state, turn, missing)
  if (needsVerification(state, turn)) return verificationMove(state, turn)
  const answer = latestAnswer(state, turn)
  const open = openTodos(state, answer === undefined ? '' : textOf(answer.content))
  return open.length > 0
    ? pending(
        state,
        turn,
        open.map(({ text }) => text),
      )
    : nothingToVerify(state)
}

function planned(state: SessionState, turn: Turn, missing: readonly string[]): Move {
  const reason = {
    stage,
    code: 'planned_artifacts_missing_continue',
    summary: `asked to go on, because ${missing.length} planned ${missing.length === 1 ? 'file is' : 'files are'} not there`,
    evidenceProvenance: missing.map((path) => ({
      category: 'tracked_work',
      source: 'plan',
      summary: `${path} is planned and not there`,
      status: 'missing' as const,
      subject: path,
    })),
  }
  return goOn(state, turn, reason, artifactsMissingNote(missing))
}

function pending(state: SessionState, turn: Turn, open: readonly string[]): Move {
  const reason = {
    stage,
    code: 'pending_items_continue',
    summary: `asked to go on, because ${open.length} ${open.length === 1 ? 'item is' : 'items are'} still open`,
    evidenceProvenance: open.map((text) => ({
      category: 'tracked_work',
      source: 'todos',
      summary: `"${excerptOf(text)}" is still open`,
      status: 'missing' as const,
      subject: excerptOf(text),
    })),
  }
  return goOn(state, turn, reason, pendingWorkNote(state.todos))
}

function goOn(state: SessionState, turn: Turn, reason: Reason, note: string): Move {
  if (nudgesLeft(state, turn) > 0) return sendBack(state, turn, reason, { note, answer: 'withdrawn' })
  const summary = reason.summary.replace(/^asked to go on/, 'stopped')
  return settle(state, 'finalize', { ...reason, code: 'continuation_budget_exhausted', summary })
}

function nothingToVerify(state: SessionState): Move {
  const summary = 'the turn has changed nothing'
  const skipped = verifySkipEntry({
    mode: state.mode,
    code: 'verification_not_required',
    summary: `skipped, because ${summary}`,
    evidenceProvenance: [{ category: 'verification', source: 'workspace', summary, status: 'context' }],
    verificationObservations: [{ status: 'skipped', summary: 'no check is needed' }],
  })
  const reason = {
    stage,
    code: 'non_mutating_response_accepted',
    summary: `accepted the answer, because ${summary} that a check could show`,
    evidenceProvenance: [{ category: 'verification', source: 'workspace', summary, status: 'context' as const }],
    verificationObservations: [{ status: 'skipped' as const, summary: 'no check is needed' }],
  }
  return settle(state, 'complete', reason, [{ type: 'workflow.decided', entry: skipped }])
}
