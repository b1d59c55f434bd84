import type { CopiedTree, MergedFile, WorkspaceTrees } from '@loader/session-core/coding'

/**
 * Applies the differences between two trees of a copy to the workspace. A path is written only if the workspace still has
 * the version that the copy began with; any other version stays, and is reported as a conflict. Whether a path was applied
 * is read from the files afterwards, so that a second call has the same result.
 */
export async function mergeCopy(
  trees: WorkspaceTrees,
  { before, after }: { readonly before: CopiedTree; readonly after: CopiedTree },
  { shown, look = false }: { readonly shown: readonly string[]; readonly look?: boolean },
): Promise<readonly MergedFile[]> {
  const changes = await trees.changes(before.id, after.id)
  const paths = changes.map(({ path }) => path).filter((path) => !shown.some((each) => isIn(each, path)))
  if (paths.length === 0) return []
  const done = look ? [] : await trees.restore(await trees.planRestore(before, after, { paths }))
  const reasons = new Map(done.flatMap(({ path, reason }) => (reason === undefined ? [] : [[path, reason] as const])))
  const now = await trees.take()
  const others =
    now.kind === 'taken'
      ? new Set((await trees.changes(after.id, now.tree.id)).map(({ path }) => path))
      : new Set(reasons.keys())
  return paths.map((path) => {
    if (!others.has(path)) return { path, outcome: 'merged' }
    return { path, outcome: 'conflict', reason: reasons.get(path) ?? 'It was changed since.' }
  })
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
