import { rootOf, type SessionState } from '@loader/session-core'
import type { FileChange } from '@loader/session-core/coding'

/**
 * The known difference between the workspace now and at the beginning of the turn. `unknown` if files may have changed
 * without an observation before and after.
 */
export type ChangeReport =
  | { readonly known: 'all'; readonly changes: readonly FileChange[] }
  | { readonly known: 'unknown'; readonly why: string }

export function changesOf(state: SessionState): ChangeReport {
  const { turn, lastTurn, workspace } = state
  const lastEffect = turn?.work.lastEffectSeq ?? null
  const { baseline = null, noTree = null, looked = null, changed = null } = workspace ?? {}
  if (baseline === null || baseline.turnId !== (turn ?? lastTurn)?.id) {
    if (lastEffect === null) return { known: 'all', changes: [] }
    return { known: 'unknown', why: 'the files were not looked at before the first change' }
  }
  if (noTree !== null) return { known: 'unknown', why: `no tree of the files could be taken (${noTree})` }
  if (changed === null || (looked?.seq ?? 0) < (lastEffect ?? 0)) {
    return { known: 'unknown', why: 'the files were not looked at since the last change' }
  }
  return { known: 'all', changes: changed }
}

/** A path relative to the project's root if it lies below the root, else unchanged. */
export function inProject(state: SessionState, path: string): string {
  const root = rootOf(state)?.replaceAll('\\', '/').replace(/\/+$/, '')
  const plain = path.replaceAll('\\', '/')
  return root !== undefined && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain
}
