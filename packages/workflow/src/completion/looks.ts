import type { SessionState, Turn } from '@loader/session-core'
import { artifactsOf } from '../artifacts/artifacts-of.ts'
import { plannedFiles } from '../artifacts/planned-files.ts'
import type { Move } from '../move.ts'
import { judgementSoFar } from './judgement-so-far.ts'

/** A look at the workspace, where judging needs one and the latest is too old. Undefined when it can go on. */
export function lookMove(state: SessionState, turn: Turn): Move | undefined {
  const planned = filesOfPlan(state)
  if (turn.work.lastEffectSeq === null && (turn.doneWhen ?? []).length === 0 && planned.length === 0) return undefined
  const { workspace } = state
  const { looked = null, changed = null, noTree = null } = workspace ?? {}
  const since = Math.max(judgementSoFar(state, turn).since, turn.request?.seq ?? 0)
  const recent = looked !== null && looked.seq > since && looked.epoch === state.epoch
  const seen = new Set(workspace?.paths.map(({ path }) => path))
  const complete = (changed !== null || noTree !== null) && planned.every((path) => seen.has(path))
  // A look that showed less than was asked for is not repeated at once: it would show no more.
  if (recent && (complete || looked.seq === state.seq)) return undefined
  return {
    type: 'observe',
    look: { facts: true, tree: 'changes', inventory: true, ...(planned.length > 0 && { paths: planned }) },
    why: 'before judging whether the work is done',
  }
}

/** Files that the plan of the task says will be there, and that were not there at the latest look. */
export function missingFiles(state: SessionState): readonly string[] {
  const absent = new Set(state.workspace?.paths.filter(({ exists }) => !exists).map(({ path }) => path))
  return filesOfPlan(state).filter((path) => absent.has(path))
}

function filesOfPlan(state: SessionState): readonly string[] {
  const { plan } = artifactsOf(state)
  return plan === null ? [] : plannedFiles(plan, state.project?.root ?? null)
}
