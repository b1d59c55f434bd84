import { type EventInput, LoaderError, unansweredCalls } from '@loader/session-core'
import { couldWriteSince } from '@loader/session-core/coding'
import type {
  BeforeWork,
  Beside,
  BesideTree,
  FileChange,
  TreeChange,
  TreeTaken,
  Workspace,
  WorkspaceTree,
} from '@loader/session-core/coding'
import { beforeAt, besideRecord, type Look, moveBefore } from '@loader/workflow'
import { type FilesSaved, saveFiles } from '../files/save-files.ts'
import { untilAborted } from '../stage/abort.ts'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Observes the workspace without changing it. */
export async function observe({ look, why }: StepOf<'observe'>, stage: Stage): Promise<void> {
  const { session, workspace, signal } = stage
  const isSaving = session.state.policy?.saves !== undefined
  // Results of calls are stored while their files are observed, unless they are to be stored together.
  if (look.tree !== undefined && !isSaving && unansweredCalls(session.state.turn).length === 0) session.send()
  const looking = Promise.all([
    look.facts && workspace.facts(),
    look.paths && workspace.look(look.paths),
    look.grounding === undefined ? undefined : workspace.ground(look.grounding),
    look.tree && lookAtFiles(look, stage),
  ])
  // After a stop the observation still completes, so that the changes of the turn are known.
  const seen = session.state.turn?.stop == null ? await untilAborted(looking, signal) : await looking
  if (seen === undefined) return
  const [facts, paths, grounding, files] = seen
  const { events, notSaved } = files?.tree === undefined ? noFiles : await saveFiles(files.tree, session, workspace)
  session.recordAll([{ type: 'workspace.observed', why, facts, paths, grounding, ...files, notSaved }, ...events])
}

const noFiles: FilesSaved = { events: [] }

type SeenFiles = Pick<
  Extract<EventInput, { type: 'workspace.observed' }>,
  'tree' | 'noTree' | 'baselineOf' | 'changed' | 'beside' | 'before'
>

async function lookAtFiles(look: Look, stage: Stage): Promise<SeenFiles> {
  const { session, workspace } = stage
  const { turn } = session.state
  const taken = await takeTree(stage)
  const baselineOf = look.tree === 'baseline' && turn !== null ? { baselineOf: turn.id } : {}
  if (taken.kind === 'refused') return { noTree: taken.why, ...baselineOf }
  const tree = { ...taken.tree, ...(look.beside && (await beside(workspace))) }
  switch (look.tree) {
    case 'baseline':
      return { tree, ...baselineOf, before: await beforeWork(tree, stage) }
    case 'changes':
      return { tree, changed: await changesTo(tree, stage), beside: await besideTurn(tree, stage) }
    case 'alone':
    case undefined:
      return { tree }
    default:
      return look.tree satisfies never
  }
}

/** What the workspace holds outside the tree. Without rooms, ignored files are not recorded. */
async function beside({ trees, trials }: Workspace): Promise<BesideTree> {
  if (trials !== undefined) return trials.lookBeside()
  const inventory = await trees?.takeInventory()
  return inventory === undefined ? {} : { inventory }
}

/** After a stop the tree is still taken, because its changes can be undone only with it. */
async function takeTree({ session, workspace, signal }: Stage): Promise<TreeTaken> {
  if (workspace.trees === undefined) return { kind: 'refused', why: 'this workspace keeps no trees of its files' }
  return workspace.trees.take(session.state.turn?.stop == null ? { signal } : {})
}

/**
 * The tree that checks compare with from now on; undefined if it stays the same. Changes since the last observation,
 * made while no call ran, are the user's.
 */
async function beforeWork(tree: WorkspaceTree, { session, workspace }: Stage): Promise<BeforeWork | undefined> {
  const { before, workspace: seen, lastEffectSeq } = session.state
  if (before === null) return { tree: beforeAt(tree.id), packages: tree.inventory, ignored: tree.ignored }
  const { seq: _seq, ignoredSeen: _ignoredSeen, ...known } = before
  const last = seen?.tree
  const lookedAt = seen?.looked?.seq ?? 0
  // What changed while a background command could write is not known to be the user's.
  const isAlone = last != null && lookedAt > (lastEffectSeq ?? 0) && !couldWriteSince(session.state, lookedAt)
  if (!isAlone) return undefined
  const edits = last.id === tree.id ? [] : await workspace.trees?.changes(last.id, tree.id).catch(unlessForgotten)
  if (edits === undefined) return undefined
  const paths = edits.map(({ path }) => path)
  const moved = moveBefore(known.tree, { kind: 'edited', while: 'no_call_ran', tree: tree.id, paths })
  // Changes that calls made to packages and ignored files stay visible.
  const packages = last.inventory === known.packages ? tree.inventory : known.packages
  const ignored = await ignoredBefore(known.ignored, last, tree, workspace)
  const unaccepted = known.unaccepted?.filter((path) => !paths.includes(path))
  return { ...known, tree: moved, packages, ignored, unaccepted }
}

/** Includes the changes since the last observation, which are the user's. */
async function ignoredBefore(
  known: string | undefined,
  { ignored: from }: WorkspaceTree,
  { ignored: to }: WorkspaceTree,
  { trials }: Workspace,
): Promise<string | undefined> {
  if (known === undefined || from === undefined || to === undefined) return known
  return (await trials?.moveIgnored(known, { from, to }).catch(unlessForgotten)) ?? known
}

/**
 * The changes of the turn outside the tree. Needed only if the tree is unchanged; otherwise the turn is judged anyway.
 */
async function besideTurn(tree: WorkspaceTree, { session, workspace }: Stage): Promise<Beside | undefined> {
  const { turn, workspace: known } = session.state
  const from = known?.baseline?.turnId === turn?.id ? known?.baseline?.tree : undefined
  if (turn === null || from == null || from.id !== tree.id || from.rest !== tree.rest) return undefined
  return besideRecord(
    (await workspace.trials?.besideChanges(from, tree, { session: session.id })) ?? {
      ignored: [],
      packages: [],
      session: [],
      notLooked: ['ignored', 'packages'],
    },
  )
}

/** The differences from the baseline of the turn; undefined if it has none or the baseline was pruned. */
async function changesTo(
  tree: WorkspaceTree,
  { session, workspace }: Stage,
): Promise<readonly FileChange[] | undefined> {
  const { turn, workspace: known } = session.state
  const baseline = known?.baseline
  if (turn === null || baseline?.turnId !== turn.id || baseline.tree === null) return undefined
  const changes = await workspace.trees?.changes(baseline.tree.id, tree.id).catch(unlessForgotten)
  return changes?.slice(0, mostChanges).map(asFileChange)
}

/** When a turn continues after weeks, its baseline may have been pruned. */
function unlessForgotten(error: unknown): undefined {
  if (!LoaderError.is(error, 'blob_missing')) throw error
}

/** Longer lists of changes are cut. */
const mostChanges = 2_000

function asFileChange({ path, change }: TreeChange): FileChange {
  return { path, change: change === 'added' || change === 'deleted' ? change : 'modified' }
}
