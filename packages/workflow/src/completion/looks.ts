import type { SessionState, Turn } from '@loader/session-core'
import { artifactsOf } from '../planning/artifacts-of.ts'
import { plannedFiles } from '../planning/planned-files.ts'
import type { Move } from '../words/move.ts'
import { checksOfUser } from '../goal/checks-of-user.ts'

/** Observes the workspace if judging needs a newer observation than the latest. Undefined if it does not. */
export function lookMove(state: SessionState, turn: Turn): Move | undefined {
  const planned = filesOfPlan(state)
  const { lastEffectSeq } = turn.work
  const saysDone = turn.statement?.how === 'done'
  const isNeeded = lastEffectSeq !== null || saysDone || planned.length > 0 || checksOfUser(state, turn).length > 0
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
  return plan === null ? [] : plannedFiles(plan, state.project?.root ?? null)
}
