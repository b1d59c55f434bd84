import { LoaderError } from '@loader/session-core'
import type { TreeSpan, WorkspaceTrees } from '@loader/session-core/coding'
import { keepProject, openWorkspace, type Project } from '@loader/workspace'
import type { DiffOutput } from '../schemas/diff.ts'

/** The trees that are kept of a project. */
export function treesOf(project: Project, variables: Readonly<Record<string, string | undefined>>): WorkspaceTrees {
  const { root, folders } = project
  const beforeTrees = () => keepProject(project, { variables })
  const { trees } = openWorkspace({ root, variables, treesFolder: folders.trees, beforeTrees })
  if (trees === undefined) throw new LoaderError('unsupported', `No trees are kept of ${root}.`)
  return trees
}

type Difference = Pick<DiffOutput, 'before' | 'after' | 'files' | 'patch'>

export const nothingChanged: Difference = { before: null, after: null, files: [], patch: '' }

/** What was changed in these periods, and not between them. */
export async function differenceOf(
  trees: WorkspaceTrees,
  spans: readonly [TreeSpan, ...TreeSpan[]],
): Promise<Difference> {
  const { tree } = await trees.without(spans)
  return between(trees, tree.id, (spans.at(-1) ?? spans[0]).after.id)
}

async function between(trees: WorkspaceTrees, before: string, after: string): Promise<Difference> {
  const lines = await trees.lines(before, after)
  const changes = await trees.changes(before, after)
  const files = changes.map(({ path, change }) => ({ path, change, ...lines.get(path) }))
  return { before, after, files, patch: await trees.patch(before, after) }
}
