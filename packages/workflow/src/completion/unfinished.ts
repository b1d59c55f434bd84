import { excerptOf, type SessionState, type Turn } from '@loader/session-core'
import type { Step } from '../words/step.ts'
import { nudgesLeft } from './budgets.ts'
import { type Reason, sendBack, endTurn } from './decisions.ts'
import { isJudged, missingFiles } from './looks.ts'
import { artifactsMissingNote, pendingWorkNote } from './notes.ts'

const stage = 'definition_of_done'

/** Sends the model back if files of its own plan are missing or items of its todo list are open. */
export function unfinishedStep(state: SessionState, turn: Turn): Step | undefined {
  if (turn.statement?.how === 'blocked') return undefined
  const missing = missingFiles(state)
  if (missing.length > 0) return planned(state, turn, missing)
  const open = state.todos.filter(({ status }) => status !== 'completed').map(({ text }) => text)
  // Once checks have run, their results decide instead.
  return open.length > 0 && !isJudged(turn) ? pending(state, turn, open) : undefined
}

function planned(state: SessionState, turn: Turn, missing: readonly string[]): Step {
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

function pending(state: SessionState, turn: Turn, open: readonly string[]): Step {
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

function goOn(state: SessionState, turn: Turn, reason: Reason, note: string): Step {
  if (nudgesLeft(state, turn) > 0) return sendBack(state, turn, reason, { note, answer: 'withdrawn', asks: 'to_go_on' })
  const summary = reason.summary.replace(/^asked to go on/, 'stopped')
  return endTurn(state, 'finalize', { ...reason, code: 'continuation_budget_exhausted', summary })
}
