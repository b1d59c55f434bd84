import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'
import { namesIn, statsOf } from './entries.ts'
import type { CommandRights } from './command-rights.ts'

/** A folder that a command may change without changing the disk: its changes go to a private layer. */
export interface Layer {
  /** The folder below the layer; the command finds the merged folder at the same path. */
  readonly path: string
  readonly upper: string
  readonly work: string
  /** Another layer between this one and the folder, which only shows. */
  readonly above?: string
}

/** Files whose change shows that packages were installed anew. */
const installMarks = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml', 'pyvenv.cfg']

/** The layer over a folder; emptied when the folder below has changed since the layer was made. */
export function layerOver(path: string, into: string, owner: CommandRights): Layer {
  const place = placeOf(path, into)
  const layer = { path, upper: join(place, 'upper'), work: join(place, 'work') }
  const stamp = stampOf(path)
  if (readStamp(place) !== stamp) {
    removeLayer(place)
    for (const folder of [place, layer.upper, layer.work]) {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      if (owner.isOther) chownSync(folder, owner.uid, owner.gid)
    }
    writeFileSync(join(place, 'stamp'), stamp)
  }
  return layer
}

/** The changes in a layer, if it still belongs to the current state of the folder below. */
export function changesOver(path: string, into: string): string | undefined {
  const place = placeOf(path, into)
  const upper = join(place, 'upper')
  return readStamp(place) === stampOf(path) && namesIn(upper).length > 0 ? upper : undefined
}

function placeOf(path: string, into: string): string {
  return join(into, createHash('sha256').update(path).digest('hex').slice(0, 16))
}

/** The kernel leaves an overlay work folder without any access rights, so they are set before removing it. */
export function removeLayer(place: string): void {
  const left = join(place, 'work', 'work')
  // Root needs no rights, and must not change those of entries that others put there.
  if (process.getuid?.() !== 0 && statsOf(left)?.isDirectory() === true) chmodSync(left, 0o700)
  rmSync(place, { recursive: true, force: true })
}

/** A layer over a cache is never emptied: caches only grow, and name their entries by content or version. */
export function cacheOver(path: string, into: string, owner: CommandRights): Layer {
  const place = placeOf(path, into)
  const layer = { path, upper: join(place, 'upper'), work: join(place, 'work') }
  for (const folder of [place, layer.upper, layer.work]) {
    if (statsOf(folder)?.isDirectory() === true) continue
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    if (owner.isOther) chownSync(folder, owner.uid, owner.gid)
  }
  return layer
}

function stampOf(path: string): string {
  const scopes = namesIn(path).filter((name) => name.startsWith('@'))
  const libraries = namesIn(join(path, 'lib')).map((name) => join('lib', name, 'site-packages'))
  return ['.', ...installMarks, ...scopes, ...libraries].map((name) => changeOf(join(path, name))).join(' ')
}

function changeOf(path: string): string {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? '-' : `${stats.dev}.${stats.ino}.${stats.ctimeNs}`
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return '-'
  }
}

function readStamp(place: string): string | undefined {
  try {
    return readFileSync(join(place, 'stamp'), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Identifies the content of a layer; differs when a command changed something in its first two levels. */
export function digestOfLayer({ upper }: Layer): string {
  const names = namesIn(upper)
  const inner = names.flatMap((name) => namesIn(join(upper, name)).map((each) => join(name, each)))
  return ['.', ...names, ...inner].map((name) => changeOf(join(upper, name))).join(' ')
}

export function isEmpty({ upper }: Layer): boolean {
  return namesIn(upper).length === 0
}

/**
 * Whether the mount table can lay an overlay over a path: it must not contain characters that separate mount options.
 */
export function canBeLayered(path: string): boolean {
  return !/[,:\\"\s#]/.test(path.replaceAll(' ', '')) && statsOf(path)?.isDirectory() === true
}

/** A line of the table for `mount --all`. With `look`, the layer is mounted read-only above the folder. */
export function tableLine({ path, upper, work, above }: Layer, use: 'change' | 'look'): string {
  const below = above === undefined ? path : `${above}:${path}`
  const escaped = (text: string) => text.replaceAll(' ', '\\040')
  const folders =
    use === 'change' ? `lowerdir=${below},upperdir=${upper},workdir=${work}` : `lowerdir=${upper}:${below}`
  return `overlay ${escaped(path)} overlay ${escaped(folders)},userxattr 0 0\n`
}
