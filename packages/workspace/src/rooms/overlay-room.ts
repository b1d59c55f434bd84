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

/** What a room lies on. */
export interface RoomParts {
  readonly root: string
  readonly owner: CommandRights
  /** Folders whose files the room has; where two have the same, the first one counts. */
  readonly layers: readonly string[]
  /** The one of them that has the tree. */
  readonly tree: string
  readonly pieces: readonly Piece[]
  readonly over: ReadonlyMap<string, string | null>
  /** Changes of a session to installed packages, by their path. */
  readonly changes: ReadonlyMap<string, string>
}

interface Overlay {
  readonly path: string
  readonly lowers: readonly string[]
  /** Where what lies below can be seen before it is mounted. */
  readonly seen: readonly string[]
  readonly upper: string
  readonly work: string
}

/** Why no overlay can be made of these parts. */
export class NoOverlay extends Error {
  override readonly name = 'NoOverlay'
}

/**
 * Prepares a room that is mounted over the workspace, and answers with the table that does so.
 *
 * 1. What the room is made of lies below, and nothing can write it; whatever is written goes to `folder`.
 * 2. The tree counts more than what lies in the workspace: this is only where the tree has nothing.
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

/** Where a room has what was written over its tree. */
export function writtenIn({ layers }: Pick<RoomFolder, 'layers'>): string {
  return join(layers, '0', 'upper')
}

/** What the room has of the workspace: not where the tree, or what lies over it, has something else. */
export function piecesWith({ pieces, layers, over }: RoomParts): readonly Piece[] {
  const isCovered = (path: string) => [...over.keys()].some((each) => path === each || path.startsWith(`${each}/`))
  return pieces.filter(({ path }) => !isCovered(path) && !layers.some((layer) => isBlocked(layer, path)))
}

/** Whether a room has a folder. Where links lead is seen only when the command starts. */
export function hasFolder(parts: RoomParts, path: string): boolean {
  const isThere = (base: string) => attempted(() => statSync(join(base, path)).isDirectory())
  const isInPiece = piecesWith(parts).some((piece) => path === piece.path || path.startsWith(`${piece.path}/`))
  const isNew = [...parts.over].some(([file, text]) => text !== null && file.startsWith(`${path}/`))
  return parts.layers.some(isThere) || (isInPiece && isThere(parts.root)) || isNew
}

/** It would take long to copy, so it is there to be read. */
function placeLarge(upper: string, root: string, stash: string, path: string): Mount {
  mkdirSync(dirname(join(upper, path)), { recursive: true })
  writeFileSync(join(upper, path), '')
  return { kind: 'placed', path: join(root, path), from: join(stash, path), access: 'readonly' }
}

/** Overlays, and the names under which mount options can hold what lies below them. */
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

  /** A path by which a folder can stand in an option: its own, or that of a mount of ours. */
  named(path: string, from: string): string {
    if (canBeOption(path)) return path
    const other = join(this.#folder.below, `${this.binds.length}`)
    mkdirSync(other)
    this.binds.push(bindLine(from, other))
    return other
  }

  /** The innermost one that holds a path. */
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

/** Nothing of it is needed after a crash, so it is never flushed to the disk. */
function overlayLine(root: string, { path, lowers, upper, work }: Overlay): string {
  const options = `lowerdir=${lowers.join(':')},upperdir=${upper},workdir=${work},userxattr,volatile`
  return `loader-room ${escaped(join(root, path))} overlay ${escaped(options)} 0 0\n`
}

/** Whether something that is no folder lies on the way to a path, or at its end. */
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
    // What we may not read, a command may not either.
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

/** What the kernel takes for nothing, with nothing below it. */
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
