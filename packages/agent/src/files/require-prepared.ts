import { LoaderError, type Session, type SessionStore, whyNotSaved } from '@loader/session-core'
import type { Workspace, WorkspaceTree, WorkspaceTrees } from '@loader/session-core/coding'
import { groundFor } from './ground-for.ts'

/**
 * Before anything runs: a session whose files are stored with it goes on in the folder that it was in last, or in one
 * whose files are those that were stored. Anything else is refused.
 */
export async function requirePrepared(
  session: Session,
  { store, workspace: { trees, trials, root } }: { readonly store: SessionStore; readonly workspace: Workspace },
): Promise<void> {
  const { place, saved } = session.state
  if (store.keepsFiles !== true || trees?.packs === undefined || place === undefined || saved === undefined) return
  const here = await trees.packs.place()
  if (here.id === place.id) return
  const { id, root: before, machine } = place
  const where = `${before} (${machine})`
  const why = whyNotSaved(session.state)
  if (why !== undefined) {
    throw new LoaderError(
      'workspace_differs',
      `Session ${session.id} was in ${where}, and ${why}. It can go on in that folder; nothing was run here.`,
    )
  }
  const taken = await trees.take()
  if (taken.kind === 'refused') throw differs(session.id, root, where, ` They cannot be looked at: ${taken.why}.`)
  const { tree } = taken
  if (tree.id !== saved.tree) throw differs(session.id, root, where, await namedPaths(trees, saved.tree, tree.id))
  const environment = await environmentHere(session, tree, trials)
  const missing = await trees.packs.missing([...saved.leftOut, ...(place.missing ?? [])])
  await session.append({
    type: 'workspace.prepared',
    place: here,
    from: { id, root: before, machine },
    tree: { id: tree.id, rest: tree.rest, leftOut: copied(tree.leftOut) },
    missing: copied(missing),
    ...(environment !== undefined && { environment }),
  })
}

/** The environment of checks here. It tells whether judgements from another machine still apply. */
async function environmentHere(
  { id, state }: Session,
  tree: WorkspaceTree,
  trials: Workspace['trials'],
): Promise<string | undefined> {
  const { before, evidence } = state
  if (trials === undefined || evidence.every(({ judgement }) => judgement === undefined)) return undefined
  const here = before && { tree: before.tree, seq: before.seq }
  try {
    return (
      await groundFor(trials, { id: tree.id, rest: tree.rest, leftOut: [] }, { id, state: { ...state, before: here } })
    ).environment
  } catch (error) {
    // A tree that a judgement compared with was never stored. Then the judgement stays that of the other machine.
    if (LoaderError.is(error, 'blob_missing')) return undefined
    throw error
  }
}

function differs(id: string, root: string, where: string, paths: string): LoaderError {
  return new LoaderError(
    'workspace_differs',
    `The files in ${root} are not those that session ${id} has left in ${where}.${paths} Nothing was run. Go on in an ` +
      'empty folder, or in a clean clone of the project, which is then prepared.',
  )
}

const mostNamed = 10

async function namedPaths(trees: WorkspaceTrees, saved: string, now: string): Promise<string> {
  try {
    const paths = (await trees.changes(saved, now)).map(({ path }) => path)
    const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ''
    return ` They differ in ${paths.slice(0, mostNamed).join(', ')}${more}.`
  } catch (error) {
    // The tree was never unpacked here.
    if (LoaderError.is(error, 'blob_missing')) return ''
    throw error
  }
}

type LeftOutList = readonly { readonly kind: string; readonly count: number; readonly names: readonly string[] }[]

function copied(leftOut: LeftOutList) {
  return leftOut.map(({ kind, count, names }) => ({ kind, count, names: [...names] }))
}
