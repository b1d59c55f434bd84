import {
  copyFileSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'
import { runProgram } from '../processes/run-program.ts'
import { statsOf } from '../walls/entries.ts'
import type { Mount } from '../walls/mount.ts'
import type { CommandRights } from '../walls/command-rights.ts'
import type { WallsStage } from '../walls/walls.ts'
import type { Piece } from './pieces.ts'
import type { RoomFolder } from './room-folders.ts'

/** The parts that a room is made of. */
export interface RoomParts {
  readonly root: string
  readonly owner: CommandRights
  /** The folders that provide the room's files; the first one that has a file wins. */
  readonly layers: readonly string[]
  /** The layer that holds the tree. */
  readonly tree: string
  readonly pieces: readonly Piece[]
  readonly over: ReadonlyMap<string, string | null>
  /** A session's changes to installed packages, by package folder. */
  readonly changes: ReadonlyMap<string, string>
}

interface Overlay {
  readonly path: string
  readonly lowers: readonly string[]
  /** The folders through which the lower layers can be seen before mounting. */
  readonly seen: readonly string[]
  readonly upper: string
  readonly work: string
}

/** Why no overlay can be made of these parts. */
export class NoOverlay extends Error {
  override readonly name = 'NoOverlay'
}

/**
 * Prepares an overlay over the workspace, and returns the mount table for it.
 *
 * 1. The parts of the room are lower layers, which cannot be written; all writes go to `folder`.
 * 2. The tree takes precedence: entries of the workspace appear only where the tree has none.
 */
export async function prepareOverlay(parts: RoomParts, folder: RoomFolder): Promise<WallsStage> {
  const { root, owner, over } = parts
  const stash = join(folder.below, 'workspace')
  const drafts = new Draft(folder)
  mkdirSync(stash, { recursive: true })
  const mounts: Mount[] = []
  const top = drafts.add('', parts.layers, parts.layers)
  for (const { kind, path } of piecesWith(parts)) {
    const from = join(root, path)
    const isFolder = statsOf(from)?.isDirectory() === true
    const had = parts.layers.map((layer) => join(layer, path)).filter((each) => statsOf(each)?.isDirectory() === true)
    if (kind === 'empty') mkdirSync(join(top.upper, path), { recursive: true })
    else if (isFolder) {
      mkdirSync(join(top.upper, path), { recursive: true })
      const changes = parts.changes.get(path)
      const above = changes === undefined ? had : [...had, changes]
      drafts.add(path, [...above, drafts.named(join(stash, path), from)], [...above, from])
    } else if (had.length > 0) continue
    else if (kind === 'large') mounts.push(placeLarge(top.upper, root, stash, path))
    else copyEntry(from, join(top.upper, path))
  }
  for (const [path, text] of over) await layOver(drafts.overlayAt(path), path, text)
  if (owner.isOther) giveTo(owner, folder.layers)
  const lines = [bindLine(root, stash), ...drafts.binds, ...drafts.overlays.map((each) => overlayLine(root, each))]
  return { table: lines.join(''), mounts }
}

/** The folder that holds what was written over the tree of a room. */
export function writtenIn({ layers }: Pick<RoomFolder, 'layers'>): string {
  return join(layers, '0', 'upper')
}

/** The pieces of the workspace that a room has: those whose path neither the tree nor `over` occupies. */
export function piecesWith({ pieces, layers, over }: RoomParts): readonly Piece[] {
  const isCovered = (path: string) => [...over.keys()].some((each) => path === each || path.startsWith(`${each}/`))
  return pieces.filter(({ path }) => !isCovered(path) && !layers.some((layer) => isBlocked(layer, path)))
}

/** Whether a room has a folder. Links are resolved only when the command starts. */
export function hasFolder(parts: RoomParts, path: string): boolean {
  const isThere = (base: string) => attempted(() => statSync(join(base, path)).isDirectory())
  const isInPiece = piecesWith(parts).some((piece) => path === piece.path || path.startsWith(`${piece.path}/`))
  const isNew = [...parts.over].some(([file, text]) => text !== null && file.startsWith(`${path}/`))
  return parts.layers.some(isThere) || (isInPiece && isThere(parts.root)) || isNew
}

/** A large file is not copied but mounted read-only. */
function placeLarge(upper: string, root: string, stash: string, path: string): Mount {
  mkdirSync(dirname(join(upper, path)), { recursive: true })
  writeFileSync(join(upper, path), '')
  return { kind: 'placed', path: join(root, path), from: join(stash, path), access: 'readonly' }
}

/** The overlays, with short names for lower folders, because mount options have a limited length. */
class Draft {
  readonly #folder: RoomFolder
  readonly overlays: Overlay[] = []
  readonly binds: string[] = []

  constructor(folder: RoomFolder) {
    this.#folder = folder
  }

  add(path: string, lowers: readonly string[], seen: readonly string[]): Overlay {
    const place = join(this.#folder.layers, `${this.overlays.length}`)
    const overlay = { path, lowers, seen, upper: join(place, 'upper'), work: join(place, 'work') }
    for (const each of [overlay.upper, overlay.work]) mkdirSync(each, { recursive: true, mode: 0o755 })
    for (const each of [...lowers, place]) {
      if (!canBeOption(each)) throw new NoOverlay(`${each} cannot be written as an option of a mount`)
    }
    this.overlays.push(overlay)
    return overlay
  }

  /** A path for a folder in a mount option: its own, or that of a mount of ours. */
  named(path: string, from: string): string {
    if (canBeOption(path)) return path
    const other = join(this.#folder.below, `${this.binds.length}`)
    mkdirSync(other)
    this.binds.push(bindLine(from, other))
    return other
  }

  /** The innermost overlay that contains a path. */
  overlayAt(path: string): Overlay {
    const all = this.overlays.filter((each) => each.path === '' || path.startsWith(`${each.path}/`))
    const innermost = all.reduce((one, other) => (other.path.length > one.path.length ? other : one))
    return innermost
  }
}

function canBeOption(path: string): boolean {
  return !/[,:\\"\t\n\r]/.test(path)
}

function escaped(text: string): string {
  return text.replaceAll(/[\s\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

function bindLine(from: string, to: string): string {
  return `${escaped(from)} ${escaped(to)} none rbind 0 0\n`
}

/** A room is worthless after a crash, so the overlay never flushes to the disk (`volatile`). */
function overlayLine(root: string, { path, lowers, upper, work }: Overlay): string {
  const options = `lowerdir=${lowers.join(':')},upperdir=${upper},workdir=${work},userxattr,volatile`
  return `loader-room ${escaped(join(root, path))} overlay ${escaped(options)} 0 0\n`
}

/** Whether an entry other than a folder lies on the way to a path, or at its end. */
function isBlocked(layer: string, path: string): boolean {
  const names = path.split('/')
  for (let length = 1; length <= names.length; length += 1) {
    const stats = statsOf(join(layer, ...names.slice(0, length)))
    if (stats === undefined) return false
    if (!stats.isDirectory()) return true
  }
  return false
}

function attempted(look: () => boolean): boolean {
  try {
    return look()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}

function copyEntry(from: string, to: string): void {
  const stats = statsOf(from)
  if (stats === undefined) return
  mkdirSync(dirname(to), { recursive: true })
  if (stats.isSymbolicLink()) return symlinkSync(readlinkSync(from), to)
  if (!stats.isFile()) return
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    // A layer that we may not read is unreadable for the command too.
    if (!['ENOENT', 'EACCES'].includes(codeOf(error) ?? '')) throw error
    return
  }
  utimesSync(to, stats.atime, stats.mtime)
}

async function layOver({ path: at, seen, upper }: Overlay, path: string, text: string | null): Promise<void> {
  const inside = at === '' ? path : path.slice(at.length + 1)
  const to = join(upper, inside)
  const below = seen.map((each) => statsOf(join(each, inside))).find((stats) => stats !== undefined)
  rmSync(to, { recursive: true, force: true })
  if (text !== null) {
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, text, { mode: below?.isFile() === true ? below.mode & 0o777 : 0o644 })
  } else if (below !== undefined) {
    mkdirSync(dirname(to), { recursive: true })
    await whiteOut(to)
  }
}

/** Creates a whiteout: the overlay then shows no entry at this path, nor below it. */
async function whiteOut(path: string): Promise<void> {
  const { ending, errors } = await runProgram({
    program: 'mknod',
    arguments: ['--', path, 'c', '0', '0'],
    cwd: '/',
    variables: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 20_000,
    onOutput: () => 'more',
  })
  if (ending.how !== 'exited' || ending.exitCode !== 0) throw new NoOverlay(`nothing can be taken away: ${errors}`)
}

export function giveTo(owner: CommandRights, path: string): void {
  lchownSync(path, owner.uid, owner.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) giveTo(owner, join(path, name))
}
