import { rootOf, type SessionState, type Turn } from '@loader/session-core'
import { couldWriteSince } from '@loader/session-core/coding'
import { artifactsOf } from '../planning/artifacts-of.ts'
import { plannedFiles } from '../planning/planned-files.ts'
import type { Step } from '../words/step.ts'
import { checksOfUser } from '../goal/checks-of-user.ts'

/** Observes the workspace if judging needs a newer observation than the latest. Undefined if it does not. */
export function lookStep(state: SessionState, turn: Turn): Step | undefined {
  const planned = filesOfPlan(state)
  const { lastEffectSeq } = turn.work
  const saysDone = turn.statement?.how === 'done'
  const isWrittenTo = couldWriteSince(state, turn.startedSeq)
  const isNeeded =
    lastEffectSeq !== null || isWrittenTo || saysDone || planned.length > 0 || checksOfUser(state, turn).length > 0
  if (!isNeeded) return undefined
  const { workspace } = state
  const { looked = null, changed = null, noTree = null } = workspace ?? {}
  const since = Math.max(turn.startedSeq, lastEffectSeq ?? 0, isJudged(turn) ? 0 : (turn.request?.seq ?? 0))
  const recent = looked !== null && looked.seq > since && looked.epoch === state.epoch
  const seen = new Set(workspace?.paths.map(({ path }) => path))
  const hasChanges = changed !== null || workspace?.baseline?.turnId !== turn.id
  const complete = (hasChanges || noTree !== null) && planned.every((path) => seen.has(path))
  // An incomplete observation is not repeated at once, because it would show the same.
  if (recent && (complete || looked.seq === state.seq)) return undefined
  return {
    type: 'observe',
    look: { facts: true, tree: 'changes', beside: true, ...(planned.length > 0 && { paths: planned }) },
    why: 'before judging whether the work is done',
  }
}

/**
 * Looks again after the checks when a background command could have changed files while they ran. If it did, they ran on
 * files that are not those of the workspace any more, and run again.
 */
export function lookAfterChecks(state: SessionState, { verification }: Turn): Step | undefined {
  if (verification === undefined || !couldWriteSince(state, verification.seq)) return undefined
  if ((state.workspace?.looked?.seq ?? 0) > verification.seq) return undefined
  return {
    type: 'observe',
    look: { tree: 'changes', beside: true },
    why: 'after the checks, because something that goes on beside the turn could change files',
  }
}

/** The checks are running or have run, so the workspace was observed before. */
export function isJudged({ verification, work }: Turn): boolean {
  return verification !== undefined && verification.seq > (work.lastEffectSeq ?? 0)
}

/** Files that the task's plan announces and that were missing at the latest observation. */
export function missingFiles(state: SessionState): readonly string[] {
  const absent = new Set(state.workspace?.paths.filter(({ exists }) => !exists).map(({ path }) => path))
  return filesOfPlan(state).filter((path) => absent.has(path))
}

function filesOfPlan(state: SessionState): readonly string[] {
  const { plan } = artifactsOf(state)
  return plan === null ? [] : plannedFiles(plan, rootOf(state) ?? null)
}
