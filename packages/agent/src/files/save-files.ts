import type { EventInput, Session } from '@loader/session-core'
import type { PackTaken, Policy, Workspace, WorkspaceTree } from '@loader/session-core/coding'

/** What is recorded about storing the files of a tree, with the look that took it: an event, or why there is none. */
export interface FilesSaved {
  readonly events: readonly EventInput[]
  readonly notSaved?: string
}

const nothing: FilesSaved = { events: [] }

/**
 * Packs a tree, where the files of the session are stored with it, unless that was done before. The event has to be
 * recorded with the look, in one append. Texts of it that are long are stored already when this resolves.
 */
export async function saveFiles(
  tree: WorkspaceTree,
  session: Pick<Session, 'state' | 'storeText'>,
  { trees }: Workspace,
  saves: Policy['saves'] = session.state.policy?.saves,
): Promise<FilesSaved> {
  const { saved: since } = session.state
  if (saves === undefined || trees?.packs === undefined) return nothing
  const taken = await trees.packs.pack(tree, { since, carry: saves.carry })
  switch (taken.kind) {
    case 'same':
      return nothing
    case 'refused':
      return { events: [], notSaved: taken.why }
    case 'packed':
      return { events: [await asEvent(taken, session, await trees.packs.place())] }
    default:
      return taken satisfies never
  }
}

async function asEvent(
  { saved, pieces, history }: Extract<PackTaken, { kind: 'packed' }>,
  session: Pick<Session, 'storeText'>,
  place: Extract<EventInput, { type: 'workspace.saved' }>['place'],
): Promise<EventInput> {
  const pack = await storedPieces(pieces, session)
  return {
    type: 'workspace.saved',
    ...saved,
    leftOut: saved.leftOut.map((each) => ({ ...each, names: [...each.names] })),
    place,
    pack,
    ...(history && {
      history: { since: [...history.since], bytes: history.bytes, pack: await storedPieces(history.pieces, session) },
    }),
  }
}

async function storedPieces(pieces: readonly string[], session: Pick<Session, 'storeText'>) {
  const stored = []
  for (const piece of pieces) stored.push(await session.storeText(piece))
  return stored
}
