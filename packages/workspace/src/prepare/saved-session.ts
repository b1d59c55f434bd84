import {
  type EventOf,
  fold,
  isSessionEvent,
  LoaderError,
  type SessionState,
  type SessionStore,
  type StoredEvent,
  type StoredText,
} from '@loader/session-core'

type Saved = EventOf<'workspace.saved'>

/** What a store has of a session that is about its files. */
export interface SavedSession {
  readonly id: string
  readonly state: SessionState
  /** In the order in which they were stored. */
  readonly saves: readonly Saved[]
  /** Every tree that the session has seen. A folder with one of these holds nothing that is not stored. */
  readonly trees: ReadonlySet<string>
  /** Where the branch of the project stood, at each save. */
  readonly heads: ReadonlySet<string>
}

type Source = Pick<SessionStore, 'read' | 'readBlob'>

export async function readSavedSession(store: Source, id: string): Promise<SavedSession> {
  const events: StoredEvent[] = []
  const saves: Saved[] = []
  const trees = new Set<string>()
  for await (const event of store.read(id)) {
    events.push(event)
    if (!isSessionEvent(event)) continue
    if (event.type === 'workspace.saved') saves.push(event)
    if (event.type === 'workspace.observed' && event.tree !== undefined) trees.add(event.tree.id)
  }
  const state = fold(events)
  if (state === null) throw new LoaderError('session_not_found', `There is no session ${id} in this store.`)
  const heads = new Set(saves.flatMap(({ head }) => head?.commit ?? []))
  return { id, state, saves, trees, heads }
}

/** The saves that the last one builds on, the first of them first. */
export function chainOf({ id, saves }: SavedSession): readonly Saved[] {
  const chain: Saved[] = []
  let wanted = saves.at(-1)?.commit
  for (const save of saves.toReversed()) {
    if (save.commit !== wanted) continue
    chain.unshift(save)
    wanted = save.parent
    if (wanted === undefined) return chain
  }
  throw new LoaderError(
    'workspace_differs',
    `The files of session ${id} cannot be made: what was stored builds on ${wanted ?? 'nothing'}, which is not there.`,
  )
}

/** The bytes of a pack, whose pieces are texts of the session. */
export async function packBytes(store: Source, id: string, pieces: readonly StoredText[]): Promise<Uint8Array> {
  if (pieces.length === 0) {
    const message = `The files of session ${id} were left out of this copy of it, which was made to be passed on.`
    throw new LoaderError('workspace_differs', message)
  }
  const parts: Buffer[] = []
  for (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : await store.readBlob(id, piece.blob)
    parts.push(Buffer.from(text, 'base64'))
  }
  return Buffer.concat(parts)
}
