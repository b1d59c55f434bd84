import type { WorkspaceTree } from '@loader/session-core/coding'
import { readCounts } from '@loader/workflow'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'
import { changesTo, noTrees } from './observe.ts'

/**
 * Runs a check and records what it showed, bound to the tree that it ran on: the one that was taken last, for nothing has
 * happened since. It ends with a look at what the check itself has changed.
 */
export async function runCheck({ check, baseline }: MoveOf<'run_check'>, stage: Stage): Promise<void> {
  const { session, environment, workspace, signal, show } = stage
  const { id: checkId, command, cwd } = check
  const runId = environment.newId('run')
  const before = session.state.workspace?.tree ?? undefined
  session.record({ type: 'check.started', runId, checkId, command, cwd, baseline })
  await session.durable()
  const onOutput = (text: string) => show({ type: 'delta.check', checkId, text })
  const run = await workspace.runCheck(check, { signal, onOutput })
  const after = before && (await look(before, stage))
  const output = await session.readText(run.output)
  const criteria = session.state.goal?.criteria ?? []
  session.record({
    type: 'check.finished',
    evidence: {
      ...run,
      checkId,
      runId,
      criterionIds: criteria.filter(({ checkIds }) => checkIds.includes(checkId)).map(({ id }) => id),
      command,
      cwd,
      counts: readCounts(output),
      output: await session.storeText(output),
      tree: before?.id,
      ...(after !== before?.id && { treeAfter: after }),
      baseline,
    },
  })
}

/** What the check has left behind, recorded where that differs. Without a tree it is not known any more. */
async function look(before: WorkspaceTree, stage: Stage): Promise<string | undefined> {
  const { session, workspace } = stage
  // Also when the turn is to stop by now.
  const taken = await workspace.trees?.take()
  const why = 'after a check'
  if (taken?.kind !== 'taken') {
    session.record({ type: 'workspace.observed', noTree: taken?.why ?? noTrees, why })
    return undefined
  }
  const { tree } = taken
  if (tree.id === before.id && tree.rest === before.rest) return before.id
  const leftOut = [...tree.leftOut]
  session.record({ type: 'workspace.observed', tree: { ...tree, leftOut }, changed: await changesTo(tree, stage), why })
  return tree.id
}
