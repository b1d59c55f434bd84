import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:net'
import { LoaderError } from '@loader/session-core'
import { openFolder } from '../paths/folder.ts'
import { namesIn, statsOf } from './entries.ts'
import { removeLayer } from './layers.ts'
import type { Stands } from './mount.ts'
import { canReach, type CommandRights } from './command-rights.ts'
import type { WallsPlace } from './walls.ts'

/** The paths of a session's folders on this machine. */
export interface SessionFolders extends Stands {
  readonly tmp: string
  readonly varTmp: string
  readonly layers: string
  readonly caches: string
  /** Files that are made for the start of commands. */
  readonly made: string
  readonly setAside: string
  /** An empty folder. */
  readonly none: string
}

/**
 * Makes the folders of a session, in the folder that it has already if there is one. The owner of the commands must be
 * able to reach them, which folders of root do not allow: then they are made among the temporary files.
 */
export function makeFolders(place: WallsPlace, owner: CommandRights): SessionFolders {
  const base = isReady(place.session, owner) ? place.session : ownedBase(place.session, owner)
  const caches = isReady(place.caches, owner) ? place.caches : ownedBase(place.caches, owner)
  const used = {
    tmp: join(base, 'tmp'),
    varTmp: join(base, 'var-tmp'),
    layers: join(base, 'layers'),
    made: join(base, 'made'),
    none: join(base, 'made/none'),
    caches,
  }
  for (const path of Object.values(used)) makeFor(owner, path)
  const emptyFile = join(used.made, 'empty')
  writeFileSync(emptyFile, '', { mode: 0o644 })
  const deadSocket = makeDeadSocket(used.made) ?? emptyFile
  const setAside = join(place.session, 'set-aside')
  mkdirSync(setAside, { recursive: true, mode: 0o700 })
  return { ...used, setAside, emptyFile, deadSocket }
}

function isReady(path: string, owner: CommandRights): boolean {
  return !owner.isOther || (statsOf(path)?.uid === owner.uid && canReach(owner, path))
}

function ownedBase(path: string, owner: CommandRights): string {
  const base = join(tmpdir(), `loader-${owner.uid}-${nameAmongTemporary(path)}`)
  makeFor(owner, base)
  return base
}

function nameAmongTemporary(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}

function makeFor(owner: CommandRights, path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const stats = lstatSync(path)
  if (!stats.isDirectory() || (stats.uid !== owner.uid && stats.uid !== process.getuid?.())) {
    throw new LoaderError(
      'storage_refused',
      `${path} belongs to another user. Remove it, or let TMPDIR name another folder.`,
    )
  }
  if (owner.isOther) chownSync(path, owner.uid, owner.gid)
  chmodSync(path, 0o700)
}

/** A socket that is renamed keeps existing after its listener closes. Undefined where that is impossible. */
function makeDeadSocket(made: string): string | undefined {
  const path = join(made, 'socket')
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) return path
  using folder = openFolder(realpathSync.native(made))
  const server = createServer()
  server.on('error', () => undefined)
  // Through the open folder, because a socket address is limited to about a hundred characters.
  server.listen(folder.at('listening'))
  const isThere = lstatSync(join(made, 'listening'), { throwIfNoEntry: false })?.isSocket() === true
  if (isThere) renameSync(join(made, 'listening'), path)
  server.close()
  return isThere ? path : undefined
}

/**
 * Removes everything kept of a session, of every process and owner, by name alone, because the workspace may be gone.
 * Caches belong to the project and stay.
 */
export function removeKept(session: string): void {
  const name = nameAmongTemporary(session)
  const bases = namesIn(tmpdir()).filter((each) => each.startsWith('loader-') && each.endsWith(`-${name}`))
  for (const base of [session, ...bases.map((each) => join(tmpdir(), each))]) {
    const layers = join(base, 'layers')
    for (const each of namesIn(layers)) removeLayer(join(layers, each))
    rmSync(base, { recursive: true, force: true })
  }
}
