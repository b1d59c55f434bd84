import { type Access, isWithin, type Place, realRoot, resolvePlace, type WallsAround } from '@loader/workspace'
import { resolve } from 'node:path'

/** Where the files of a call are looked for. */
export interface Files {
  readonly root: string
  /** What commands are held by holds for files too. Absent: nothing is known about walls. */
  readonly walls?: WallsAround | undefined
  /** Whose /tmp it is. */
  readonly sessionId?: string | undefined
  /** What the call does with them. Absent: it may change them. */
  readonly reach?: 'look' | 'work' | undefined
}

export interface LocatedPlace extends Place {
  /** What work in the workspace can do with it. */
  readonly access?: Access['kind']
}

type Refused = Extract<ReturnType<typeof resolvePlace>, { kind: 'refused' }>

/**
 * Where a path leads for a command in walls: /tmp is that of the session, and what such a command could not write or read
 * is told, by the same list of mounts that the kernel has.
 */
export async function locate(files: Files, path: string): Promise<LocatedPlace | Refused> {
  const { root } = files
  const written = resolve(root, path)
  const meant = await accessTo(files, written)
  if (meant !== undefined && meant.kind !== 'hidden' && meant.from !== undefined && meant.real !== written) {
    const moved = resolvePlace(root, meant.real)
    if (moved.kind === 'refused') return moved
    // A link in the session's own /tmp leads where it leads on this machine.
    if (isWithin(realRoot(meant.from), moved.path)) return { ...moved, shown: written, access: meant.kind }
    return withAccess(moved, await accessTo(files, moved.path))
  }
  const place = resolvePlace(root, path)
  if (place.kind === 'refused') return place
  // Without a link on the way it was asked for already.
  return withAccess(place, place.path === written ? meant : await accessTo(files, place.path))
}

async function accessTo({ walls, sessionId, reach }: Files, path: string): Promise<Access | undefined> {
  return walls?.access(path, sessionId, reach)
}

function withAccess(place: Place, access: Access | undefined): LocatedPlace {
  if (access === undefined) return place
  // A link that leads into the /tmp of this machine: commands find that of the session there.
  const isElsewhere = access.kind !== 'hidden' && access.real !== place.path
  return { ...place, access: isElsewhere ? 'hidden' : access.kind }
}
