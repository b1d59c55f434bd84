import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { mayLive, ownMark } from '../processes/process-mark.ts'
import type { CommandRights } from '../walls/command-rights.ts'
import { removeAll } from './remove-all.ts'

/** The folders of one room. Each is empty when a room begins. */
export interface RoomFolder {
  readonly path: string
  /** The folder of all rooms and their layers. */
  readonly home: string
  /** The private folder that walls need for a session: its /tmp and others. */
  readonly session: string
  readonly caches: string
  /** The path at which the real workspace can be reached while a room is mounted over it. */
  readonly below: string
  /** The files that the command writes. */
  readonly layers: string
  readonly copy: string
  /** The kit that makes runners report; the command may read it. */
  readonly kit: string
  readonly reports: string
}

let count = 0

/**
 * The folders of rooms on the disk.
 *
 * 1. The name of each shows the process that owns it. Only that process uses it; when it is gone, the next start
 *    removes it.
 * 2. Only the owner of the workspace can enter it.
 */
export class RoomFolders {
  readonly home: string
  readonly #owner: CommandRights
  readonly #free: RoomFolder[] = []

  constructor(stateFolder: string, owner: CommandRights) {
    this.home = roomsHome(stateFolder, owner)
    if (owner.isOther) makeReachable(this.home)
    this.#owner = owner
  }

  take(): RoomFolder {
    return this.#free.pop() ?? this.#make()
  }

  /** Empties the folder for the next room. A folder that cannot be emptied is not used again. */
  async giveBack(folder: RoomFolder): Promise<void> {
    if (await this.empty(folder)) this.#free.push(folder)
  }

  /** Removes everything but what walls have prepared. Returns whether that succeeded. */
  async empty({ session, caches, below, layers, copy, reports }: RoomFolder): Promise<boolean> {
    const forCommands = [join(session, 'tmp'), join(session, 'var-tmp'), caches, reports]
    const gone = await Promise.all([...forCommands, below, layers, copy].map(removeAll))
    for (const path of forCommands) this.#makeFor(path)
    return gone.every((each) => each)
  }

  async sweep(): Promise<void> {
    for (const name of namesIn(this.#rooms)) {
      const owner = /^(.+)\.\d+$/.exec(name)?.[1]
      if (owner !== undefined && !mayLive(owner)) await removeAll(join(this.#rooms, name))
    }
  }

  async removeFree(): Promise<void> {
    for (const { path } of this.#free.splice(0)) await removeAll(path)
  }

  get #rooms(): string {
    return join(this.home, 'rooms')
  }

  #make(): RoomFolder {
    count += 1
    const path = join(this.#rooms, `${ownMark()}.${count}`)
    const inside = (name: string) => join(path, name)
    mkdirSync(path, { recursive: true, mode: this.#owner.isOther ? 0o711 : 0o700 })
    const folder = {
      path,
      home: this.home,
      session: inside('session'),
      caches: inside('caches'),
      below: inside('below'),
      layers: inside('layers'),
      copy: inside('copy'),
      kit: inside('kit'),
      reports: inside('reports'),
    }
    for (const each of [folder.session, folder.caches, folder.reports, join(folder.session, 'tmp')]) this.#makeFor(each)
    mkdirSync(folder.kit, { mode: 0o755 })
    return folder
  }

  #makeFor(path: string): void {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (this.#owner.isOther) chownSync(path, this.#owner.uid, this.#owner.gid)
  }
}

/** Other users cannot enter the folders of root: rooms for them lie among the temporary files. */
export function roomsHome(stateFolder: string, { uid, isOther }: CommandRights): string {
  if (!isOther) return stateFolder
  const name = createHash('sha256').update(stateFolder).digest('hex').slice(0, 16)
  return join(tmpdir(), `loader-rooms-${uid}-${name}`)
}

function makeReachable(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o711 })
  const stats = lstatSync(path)
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) {
    throw new LoaderError(
      'storage_refused',
      `${path} belongs to another user. Remove it, or let TMPDIR name another folder.`,
    )
  }
  for (const name of ['.', 'rooms', 'checkouts']) {
    mkdirSync(join(path, name), { recursive: true })
    chmodSync(join(path, name), 0o711)
  }
}

function namesIn(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : []
}
