import { realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LoaderError, type SessionState, type SessionStore, type Signal } from '@loader/session-core'
import { isWithin, type PreparedWorkspace, prepareWorkspace } from '@loader/workspace'
import type { Console } from '../console/console.ts'
import { type FolderInHand, takeInHand } from './folder-in-hand.ts'

interface FolderParts {
  readonly store: SessionStore
  readonly console: Console
  readonly onProgress: (words: string) => void
  readonly signal: Signal
}

/**
 * The folder under `projects` in which a worker goes on with a session: the one that the session was in last, if that was
 * here; a folder of its own, with the files that are stored with it; or, where none are, the project by its name. No other
 * session or process of this machine gets it until it is released.
 */
export async function projectFolder(projects: string, state: SessionState, parts: FolderParts): Promise<FolderInHand> {
  const { id, project, saved, place } = state
  if (saved === undefined) return namedFolder(projects, id, project?.root)
  const prepare = (folder: string, replace = false) =>
    prepareWorkspace({
      store: parts.store,
      sessionId: id,
      folder,
      replace,
      variables: parts.console.environment,
      onProgress: parts.onProgress,
      signal: parts.signal,
    })
  if (place !== undefined && isWithin(projects, place.root) && isFolder(place.root)) {
    const { root } = place
    const last = await inHand(projects, root, () => prepare(root).catch(elsewhere))
    if (last !== undefined) return last
  }
  // A folder that another process of this machine still has is left to it.
  for (let number = 1; ; number += 1) {
    const folder = join(projects, number === 1 ? id : `${id}.${number}`)
    const own = await inHand(projects, folder, () => prepare(folder, true))
    if (own !== undefined) return own
  }
}

/** The folder, taken and prepared; undefined if it is taken already, or could not be prepared. */
async function inHand(
  projects: string,
  folder: string,
  prepare: () => Promise<PreparedWorkspace | undefined>,
): Promise<FolderInHand | undefined> {
  const hand = takeInHand(projects, folder)
  if (hand === undefined) return undefined
  try {
    const prepared = await prepare()
    if (prepared !== undefined) return { folder: prepared.root, [Symbol.dispose]: () => hand[Symbol.dispose]() }
  } catch (error) {
    hand[Symbol.dispose]()
    throw error
  }
  hand[Symbol.dispose]()
  return undefined
}

/** A folder of the same path on another machine, with other files. */
function elsewhere(error: unknown): undefined {
  if (!LoaderError.is(error, 'workspace_differs')) throw error
}

function namedFolder(projects: string, id: string, root: string | undefined): FolderInHand {
  const name = root === undefined ? undefined : basename(root)
  const found = [id, name].find((one) => one !== undefined && isFolder(join(projects, one)))
  if (found === undefined) {
    const wanted = name === undefined ? id : `${name}, nor ${id}`
    const why = `There is no folder ${wanted} under ${projects}, and no files are stored with the session.`
    throw new LoaderError('unsupported', why)
  }
  const hand = takeInHand(projects, join(projects, found))
  if (hand !== undefined) {
    return { folder: realpathSync(join(projects, found)), [Symbol.dispose]: () => hand[Symbol.dispose]() }
  }
  const why = `Another session is worked on in ${join(projects, found)}, and no files are stored with this one.`
  throw new LoaderError('unsupported', why)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
