import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkspaceTree } from '@loader/session-core/coding'
import { LocalTrees, programOnPath, type TreesOptions } from '../../src/index.ts'

/** A workspace of its own and a place for its trees; both are gone afterwards. */
export function temporaryTrees(options: Partial<TreesOptions> = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'trees-')))
  const root = join(base, 'project')
  const folder = join(base, 'side')
  const opened: LocalTrees[] = []
  const variables = { PATH: process.env['PATH'] ?? '', HOME: join(base, 'home') }
  const open = (more: Partial<TreesOptions> = {}): LocalTrees => {
    const git = programOnPath('git', variables, '/nowhere')
    const trees = new LocalTrees({ root, folder, git, variables, ...options, ...more })
    opened.push(trees)
    return trees
  }
  return {
    base,
    root,
    folder,
    open,
    path: (...names: string[]) => join(root, ...names),
    [Symbol.dispose]() {
      for (const trees of opened) trees[Symbol.dispose]()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** The tree, or a failed test that names the reason. */
export async function taken(trees: LocalTrees): Promise<WorkspaceTree> {
  const answer = await trees.take()
  if (answer.kind === 'refused') throw new Error(`no tree: ${answer.why}`)
  return answer.tree
}
