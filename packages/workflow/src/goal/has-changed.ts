import type { SessionState, Turn } from '@loader/session-core'

/** Whether the turn has changed anything, as far as anybody has looked. Where nobody has, what may have changed has. */
export function hasChanged({ workspace }: SessionState, { id, work }: Turn): boolean {
  if (work.files.length > 0) return true
  if (work.lastEffectSeq === null) return false
  const { baseline, tree, looked } = workspace ?? {}
  if (tree == null || (looked?.seq ?? 0) <= work.lastEffectSeq) return true
  if (baseline?.turnId !== id || baseline.tree === null) return true
  return tree.id !== baseline.tree.id || tree.rest !== baseline.tree.rest
}
