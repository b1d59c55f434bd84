import type { ListQuery, SessionPage, SessionRow, SessionStore } from '@loader/session-core'
import { listSessions, type SessionNow, sessionsNow } from '@loader/session-fs'
import { knownProjects } from '@loader/workspace'
import { activityOf, type ListedSession, type Match } from '@loader/readings'
import type { Console } from '../console/console.ts'
import { foldersOfKnown, type Places, sessionFolders } from '../places/places.ts'
import type { StoreAddress } from '../settings/store-address.ts'
import { sizesOnDisk } from '../tables/size-on-disk.ts'

/** Of a search, which may find enough on the first one, and of a database. */
const largestPage = 500
/** Who holds a session is a question of its own to a database. */
const mostAsked = 50

/** A folder with sessions, or a database. */
export interface Source {
  /** The project that they are of; of a database, its address. */
  readonly root: string
  /** Whether the project was removed. */
  readonly gone: boolean
  /** What is searched: the folder, or the store. */
  readonly where: string | SessionStore
  list(query: ListQuery): Promise<SessionPage>
}

/** Whose sessions are meant: those of the project, or of all of them. */
export type Whose = 'project' | 'all'

/** Where sessions are: in a database, or in the folders of projects. */
export async function sourcesOf(
  whose: Whose,
  address: StoreAddress | undefined,
  places: Places,
  console: Pick<Console, 'environment'>,
): Promise<Source[]> {
  if (address === undefined) return foldersFor(whose, places, console)
  const { databaseStore } = await import('../sessions/database-store.ts')
  const store = databaseStore(address, whose === 'all' ? {} : { root: places.root })
  return [{ root: address.shown, gone: false, where: store, list: (query) => store.list(query) }]
}

function foldersFor(whose: Whose, places: Places, { environment }: Pick<Console, 'environment'>): Source[] {
  const { root, folders } = places.project()
  const own = sessionFolders(root, folders).map((directory) => folderSource(directory, root, false))
  if (whose === 'project') return own
  const others = knownProjects({ variables: environment }).filter((one) => one.folders.folder !== folders.folder)
  return [
    ...own,
    ...others.flatMap((one) =>
      foldersOfKnown(one).map((directory) => folderSource(directory, one.root ?? one.folders.folder, !one.isThere)),
    ),
  ]
}

function folderSource(directory: string, root: string, gone: boolean): Source {
  return { root, gone, where: directory, list: (query) => listSessions({ directory }, query) }
}

/** A session of a source, as it is listed. */
export interface Found {
  readonly source: Source
  readonly row: SessionRow
  /** Of a search. */
  readonly matches?: ListedSession['matches']
}

/** What is shown of a source, as it is right now. */
export async function asTheyAre(source: Source, found: readonly Found[]): Promise<ListedSession[]> {
  const rows = found.map(({ row }) => row)
  const { where, root, gone } = source
  const now = typeof where === 'string' ? await sessionsNow({ directory: where }, rows) : await heldIn(where, rows)
  return now.map(({ row, holder }, index) => {
    const activity = activityOf(row, holder)
    const matches = found[index]?.matches
    return {
      ...row,
      root: typeof where === 'string' ? root : (row.project ?? root),
      ...(gone && ({ gone: true } as const)),
      ...(activity && { activity }),
      ...(matches && { matches }),
    }
  })
}

/** The rows of a store with who holds them, as far as it can tell; each is a question, so only a screen of them is asked. */
async function heldIn(store: SessionStore, rows: readonly SessionRow[]): Promise<readonly SessionNow[]> {
  const now: SessionNow[] = []
  for (const [index, row] of rows.entries()) {
    const holder = index < mostAsked ? await store.holder?.(row.id) : undefined
    now.push({ row, ...(holder !== undefined && { holder }) })
  }
  return now
}

/** With what each session takes on disk; a database does not tell. */
export function withSizes({ where }: Source, sessions: readonly ListedSession[]): readonly ListedSession[] {
  if (typeof where !== 'string') return sessions
  const sizeOf = sizesOnDisk(where)
  return sessions.map((session) => ({ ...session, bytes: sizeOf(session.id) }))
}

/** The newest of a folder, and no more than are needed: rows that are not shown need not be looked at. */
export async function foundIn(
  source: Source,
  most: number,
  matchesOf?: (row: SessionRow) => Promise<readonly Match[]>,
  children: 'listed' | 'left out' = 'listed',
): Promise<Found[]> {
  const isWhole = typeof source.where === 'string' && matchesOf === undefined
  const found: Found[] = []
  let cursor: string | undefined
  do {
    const page = await source.list({
      limit: isWhole ? most : Math.min(most, largestPage),
      ...(cursor !== undefined && { cursor }),
    })
    for (const row of page.rows) {
      if (children === 'left out' && row.parent !== undefined) continue
      const matches = await matchesOf?.(row)
      if (matches === undefined || matches.length > 0) found.push({ source, row, ...(matches && { matches }) })
      if (found.length === most) return found
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}
