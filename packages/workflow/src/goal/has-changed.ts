import type { SessionState, Turn } from '@loader/session-core'

/** Whether the turn changed files. Without an observation, calls that can change files count as changes. */
export function hasChanged({ workspace }: SessionState, { id, work }: Turn): boolean {
  if (work.files.length > 0) return true
  if (work.lastEffectSeq === null) return false
  const { baseline, tree, looked } = workspace ?? {}
  if (tree == null || (looked?.seq ?? 0) <= work.lastEffectSeq) return true
  if (baseline?.turnId !== id || baseline.tree === null) return true
  return tree.id !== baseline.tree.id || tree.rest !== baseline.tree.rest
}
