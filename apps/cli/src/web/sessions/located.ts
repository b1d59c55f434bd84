import { LoaderError, type SessionStore } from '@loader/session-core'
import { FileSessionStore, hasSession } from '@loader/session-fs'
import { findProject } from '@loader/workspace'
import type { Given } from '../../arguments/given.ts'
import { UsageError } from '../../arguments/usage-error.ts'
import type { Console } from '../../console/console.ts'
import { type Source, sourcesOf } from '../../listing/sources.ts'
import { type Places, placesOf } from '../../places/places.ts'
import type { StoreAddress } from '../../settings/store-address.ts'

/** What the page is served from. */
export interface ServedFrom {
  readonly address: StoreAddress | undefined
  readonly places: Places
  readonly console: Console
  /** The options of the server that a run has too. */
  readonly given: Given
}

/** A session, and where it is. */
export interface Located {
  readonly id: string
  readonly source: Source
  readonly store: SessionStore
}

const databases = new WeakMap<ServedFrom, Promise<Source[]>>()

/** Every place that has sessions of this user. A database is opened once; folders come and go. */
export function allSources(from: ServedFrom): Promise<Source[]> {
  const { address, places, console } = from
  if (address === undefined) return sourcesOf('all', address, places, console)
  const known = databases.get(from) ?? sourcesOf('all', address, places, console)
  databases.set(from, known)
  return known
}

/** A session by its whole id; undefined where there is none. */
export async function located(id: string, from: ServedFrom): Promise<Located | undefined> {
  for (const source of await allSources(from)) {
    const { where } = source
    if (typeof where !== 'string') return (await isIn(where, id)) ? { id, source, store: where } : undefined
    if (hasSession(where, id)) return { id, source, store: new FileSessionStore({ directory: where }) }
  }
  return undefined
}

async function isIn(store: SessionStore, id: string): Promise<boolean> {
  try {
    for await (const _ of store.read(id, { gaps: 'mark' })) return true
    return false
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return false
    throw error
  }
}

/** The folders of a project, as a command that is started in it has them. */
export function placesIn(root: string, { given, console, places }: ServedFrom): Places {
  if (root === places.root) return places
  const there = placesOf(given, consoleIn(root, console))
  return { ...there, root, project: () => findProject(root, { variables: console.environment }) }
}

/** The project that a session goes on in: of one in a database, the folder that it was begun in. */
export function placesOfLocated({ id, source }: Located, project: string | null, from: ServedFrom): Places {
  const { where, root, gone } = source
  const folder = typeof where === 'string' ? root : project
  if (folder !== null && !gone) {
    try {
      return placesIn(folder, from)
    } catch (error) {
      // The folder is gone.
      if (!(error instanceof UsageError)) throw error
    }
  }
  throw new LoaderError(
    'unsupported',
    `The project of session ${id} is not on this machine any more, so there is nothing to work in.`,
  )
}

/** The streams are getters, which a copy would call. */
export function consoleIn(folder: string, console: Console): Console {
  return Object.create(console, { folder: { value: folder } }) as Console
}
