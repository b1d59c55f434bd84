import { type EventInput, LoaderError, unansweredCalls } from '@loader/session-core'
import type { FileChange, TreeChange, TreeTaken, WorkspaceTree } from '@loader/session-core/coding'
import { isCheckFile, type Look } from '@loader/workflow'
import { unlessAborted } from '../stage/abort.ts'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Looks at the workspace, without any effect on it. */
export async function observe({ look, why }: MoveOf<'observe'>, stage: Stage): Promise<void> {
  const { session, workspace, signal } = stage
  // What calls have come to is stored while their files are looked at.
  if (look.tree !== undefined && unansweredCalls(session.state.turn).length === 0) session.send()
  const looking = Promise.all([
    look.facts && workspace.facts(),
    look.paths && workspace.look(look.paths),
    look.grounding === undefined ? undefined : workspace.ground(look.grounding),
    look.tree && lookAtFiles(look, stage),
  ])
  // Where the turn was stopped, what it has changed is looked at all the same.
  const seen = session.state.turn?.stop == null ? await unlessAborted(looking, signal) : await looking
  if (seen === undefined) return
  const [facts, paths, grounding, files] = seen
  session.record({
    type: 'workspace.observed',
    why,
    facts: facts === undefined ? undefined : { ...facts },
    paths: paths && [...paths],
    grounding,
    ...files,
  })
}

type SeenFiles = Pick<
  Extract<EventInput, { type: 'workspace.observed' }>,
  'tree' | 'noTree' | 'baselineOf' | 'baseline' | 'changed'
>

async function lookAtFiles(look: Look, stage: Stage): Promise<SeenFiles> {
  const { session, workspace } = stage
  const { turn } = session.state
  const taken = await takeTree(stage)
  const baselineOf = look.tree === 'baseline' && turn !== null ? { baselineOf: turn.id } : {}
  if (taken.kind === 'refused') return { noTree: taken.why, ...baselineOf }
  const inventory = look.inventory && (await workspace.trees?.takeInventory())
  const tree = { ...taken.tree, leftOut: [...taken.tree.leftOut], ...(inventory !== undefined && { inventory }) }
  switch (look.tree) {
    case 'baseline':
      return { tree, ...baselineOf, baseline: await session.storeText(await checkFilesIn(tree, stage)) }
    case 'changes':
      return { tree, changed: await changesTo(tree, stage) }
    case 'alone':
    case undefined:
      return { tree }
    default:
      return look.tree satisfies never
  }
}

export const noTrees = 'this workspace keeps no trees of its files'

/** Stopped turns are looked at to the end: what they have changed can be undone only then. */
async function takeTree({ session, workspace, signal }: Stage): Promise<TreeTaken> {
  if (workspace.trees === undefined) return { kind: 'refused', why: noTrees }
  return workspace.trees.take(session.state.turn?.stop == null ? { signal } : {})
}

/** A line for each file that checks consist of. */
async function checkFilesIn(tree: WorkspaceTree, { workspace }: Stage): Promise<string> {
  const files = (await workspace.trees?.files(tree.id)) ?? new Map<string, string>()
  return [...files].flatMap(([path, content]) => (isCheckFile(path) ? [`${content} ${path}`] : [])).join('\n')
}

/** What differs from the baseline of the turn, or undefined when it has none, or none that is kept. */
export async function changesTo(tree: WorkspaceTree, { session, workspace }: Stage): Promise<FileChange[] | undefined> {
  const { turn, workspace: known } = session.state
  const baseline = known?.baseline
  if (turn === null || baseline?.turnId !== turn.id || baseline.tree === null) return undefined
  const changes = await workspace.trees?.changes(baseline.tree.id, tree.id).catch(unlessForgotten)
  if (changes === undefined) return undefined
  const files = changes.map(asFileChange)
  const added = files.filter(({ change }) => change === 'added')
  const others = files.filter(({ change }) => change !== 'added')
  return [...atMost(mostOthers, others), ...atMost(mostAdded, added)]
}

/** A turn that goes on after weeks may find that its baseline was pruned. */
function unlessForgotten(error: unknown): undefined {
  if (!LoaderError.is(error, 'blob_missing')) throw error
}

/** More changes than these say no more than that much has changed. */
const mostAdded = 500
const mostOthers = 2_000

/** Where that is too much to be kept, checks come first: what happened to them must not go unseen. */
function atMost(most: number, changes: readonly FileChange[]): readonly FileChange[] {
  if (changes.length <= most) return changes
  const checks = changes.filter(({ path }) => isCheckFile(path))
  return [...checks, ...changes.filter(({ path }) => !isCheckFile(path))].slice(0, most)
}

function asFileChange({ path, change, onlyDependencies }: TreeChange): FileChange {
  const kind = change === 'added' || change === 'deleted' ? change : 'modified'
  return { path, change: kind, ...(onlyDependencies && { onlyDependencies }) }
}
