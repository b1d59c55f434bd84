import type { EventInput, Session, SessionStore } from '@loader/session-core'
import type { Workspace } from '@loader/session-core/coding'
import { saveFiles } from './save-files.ts'

/** What a task for another process brings along: the look at the files with what is stored of them. */
export interface FilesOfTask {
  readonly events: readonly EventInput[]
  /** Why the files do not come along. */
  readonly notSaved?: string
}

/** The files as they are where a task is queued. A session that was in another folder last keeps the files of that one. */
export async function filesOfTask(
  session: Session,
  {
    store,
    workspace,
    carry,
  }: { readonly store: SessionStore; readonly workspace: Workspace; readonly carry: readonly string[] },
): Promise<FilesOfTask> {
  const { trees } = workspace
  if (store.keepsFiles !== true) return { events: [], notSaved: 'this store keeps no files' }
  if (trees?.packs === undefined) return { events: [], notSaved: 'files cannot be packed here' }
  const { place } = session.state
  if (place !== undefined && (await trees.packs.place()).id !== place.id) return { events: [] }
  const why = 'when the task was queued'
  const taken = await trees.take()
  if (taken.kind === 'refused') {
    return { events: [{ type: 'workspace.observed', noTree: taken.why, why }], notSaved: taken.why }
  }
  const tree = { ...taken.tree, leftOut: [...taken.tree.leftOut] }
  const { events, notSaved } = await saveFiles(tree, session, workspace, { carry: carry.slice() })
  const observed: EventInput = { type: 'workspace.observed', tree, why, notSaved }
  return { events: [observed, ...events], ...(notSaved !== undefined && { notSaved }) }
}
