import { type Access, isWithin, type Place, realRoot, resolvePlace, type WallsAround } from '@loader/workspace'
import { resolve } from 'node:path'

/** Where the files of a call are located. */
export interface Files {
  readonly root: string
  /** The walls of commands, which hold for files too. Absent: there are none. */
  readonly walls?: WallsAround | undefined
  /** The session whose /tmp is used. */
  readonly sessionId?: string | undefined
  /** What the call does with the files. Absent: it may change them. */
  readonly reach?: 'look' | 'work' | undefined
}

export interface LocatedPlace extends Place {
  /** The access that commands within walls would have to it. */
  readonly access?: Access['kind']
}

type Refused = Extract<ReturnType<typeof resolvePlace>, { kind: 'refused' }>

/**
 * Resolves a path as a command in walls would: /tmp is the session's own, and paths that such a command could not read
 * or write are reported, by the same list of mounts that the kernel uses.
 */
export async function locate(files: Files, path: string): Promise<LocatedPlace | Refused> {
  const { root } = files
  const written = resolve(root, path)
  const meant = await accessTo(files, written)
  if (meant !== undefined && meant.kind !== 'hidden' && meant.from !== undefined && meant.real !== written) {
    const moved = resolvePlace(root, meant.real)
    if (moved.kind === 'refused') return moved
    // A link inside of the session's /tmp is resolved on this machine.
    if (isWithin(realRoot(meant.from), moved.path)) return { ...moved, shown: written, access: meant.kind }
    return withAccess(moved, await accessTo(files, moved.path))
  }
  const place = resolvePlace(root, path)
  if (place.kind === 'refused') return place
  // Without links the access is known already.
  return withAccess(place, place.path === written ? meant : await accessTo(files, place.path))
}

async function accessTo({ walls, sessionId, reach }: Files, path: string): Promise<Access | undefined> {
  return walls?.access(path, sessionId, reach)
}

function withAccess(place: Place, access: Access | undefined): LocatedPlace {
  if (access === undefined) return place
  // A link into the machine's /tmp: commands would find the session's /tmp there.
  const isElsewhere = access.kind !== 'hidden' && access.real !== place.path
  return { ...place, access: isElsewhere ? 'hidden' : access.kind }
}
