import type { CopiedTree, MergedFile, WorkspaceTrees } from '@loader/session-core/coding'

/**
 * Takes over into the workspace what differs between two trees of a copy. A path is written only where the workspace still
 * has what the copy began with; any other version stays, and is told as a conflict. Whether a path was taken over is read
 * off the files that are there afterwards, so that doing it again comes to the same.
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
