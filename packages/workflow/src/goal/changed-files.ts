import type { SessionState } from '@loader/session-core'
import type { FileChange } from '@loader/session-core/coding'

/**
 * What is known of the difference between now and the beginning of the turn. `unknown` when something may have been
 * changed and nobody has looked at it from both sides.
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
    return { known: 'unknown', why: 'nobody looked at the files before the first change' }
  }
  if (noTree !== null) return { known: 'unknown', why: `no tree of the files could be taken (${noTree})` }
  if (changed === null || (looked?.seq ?? 0) < (lastEffect ?? 0)) {
    return { known: 'unknown', why: 'nobody has looked at the files since the last change' }
  }
  return { known: 'all', changes: changed }
}

/** A path as it is counted in the project: relative to its root where it lies below it. */
export function inProject({ project }: SessionState, path: string): string {
  const root = project?.root.replaceAll('\\', '/').replace(/\/+$/, '')
  const plain = path.replaceAll('\\', '/')
  return root !== undefined && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain
}
