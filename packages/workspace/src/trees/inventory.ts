import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import type { Signal } from '@loader/session-core'
import * as z from 'zod'
import { codeOf } from '../paths/system-errors.ts'
import { breather } from '../walk/breather.ts'
import { versionKey } from './private-index.ts'
import { rawBytes } from './raw-bytes.ts'
import { type RawPath, splitAtNul } from './raw-path.ts'

/** A file of an installed package, or one that no tree holds for another reason. */
export interface InventoryFile {
  /**
   * Changes whenever the system can tell that the file was replaced or changed. Empty: the file has to be read again.
   */
  readonly version: string
  /** A hash of its content, its mode and link target; empty where it was too large to read. */
  readonly content: string
}

/**
 * The contents of what no tree holds but influences a check: installed packages, nested repositories, and large files.
 */
export interface Inventory {
  readonly files: ReadonlyMap<RawPath, InventoryFile>
  /** Name and version by the folder of a package, such as `left-pad@1.3.0`. */
  readonly packages: ReadonlyMap<RawPath, string>
  /** The commit and a digest of the changes, by the folder of a repository. */
  readonly nested: ReadonlyMap<RawPath, string>
}

export const emptyInventory: Inventory = { files: new Map(), packages: new Map(), nested: new Map() }

/** Caches that runners and bundlers keep among installed packages. */
const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '.vitest-cache', '__pycache__', '.tmp'])

const mostHashedBytes = 1024 ** 3
/** A larger file is known by its version alone. */
const largestHashed = 256n * 1024n * 1024n
const tickNs = 100_000_000n
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants

/**
 * Takes the inventory of these folders, and of files that were found otherwise. A file is read only when it is unknown or its
 * version has changed.
 */
export async function takeInventory(
  top: string,
  { folders, listed }: { readonly folders: readonly RawPath[]; readonly listed: readonly RawPath[] },
  known: Inventory,
  signal: Signal | undefined,
): Promise<Pick<Inventory, 'files' | 'packages'> & { readonly caches: readonly RawPath[] }> {
  const rest = breather()
  const passedOver: RawPath[] = []
  const files = new Map<RawPath, InventoryFile>()
  const packages = new Map<RawPath, string>()
  let left = mostHashedBytes
  const look = (path: RawPath, stats: BigIntStats): Buffer | 'known' | undefined => {
    const before = known.files.get(path)
    const version = versionKey(stats)
    if (before?.version === version) {
      files.set(path, before)
      return 'known'
    }
    left -= Number(stats.size)
    const bytes = left < 0 || stats.size > largestHashed ? undefined : contentOf(at(top, path), stats)
    files.set(path, {
      version: isFresh(stats) ? '' : version,
      content: bytes === undefined ? '' : digestOf(stats, bytes),
    })
    return bytes
  }
  for (const path of listed) {
    const stats = lstatSync(at(top, path), { bigint: true, throwIfNoEntry: false })
    if (stats !== undefined && !stats.isDirectory()) look(path, stats)
    await rest()
  }
  const pending = [...folders]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    signal?.throwIfAborted()
    for (const entry of entriesOf(at(top, folder))) {
      const path = folder + entry.name
      if (entry.isDirectory()) {
        if (caches.has(entry.name)) passedOver.push(path)
        else pending.push(`${path}/`)
        const python = /^(.+)-([^-]+)\.dist-info$/.exec(entry.name)
        if (python !== null) packages.set(path, `${python[1] ?? ''}@${python[2] ?? ''}`)
        continue
      }
      const stats = lstatSync(at(top, path), { bigint: true, throwIfNoEntry: false })
      if (stats === undefined) continue
      const manifest = packageFolder(path)
      const bytes = look(path, stats)
      if (manifest === undefined || bytes === undefined) continue
      const name = bytes === 'known' ? known.packages.get(manifest) : nameOf(bytes)
      if (name !== undefined) packages.set(manifest, name)
    }
    await rest()
  }
  return { files, packages, caches: passedOver }
}

/** One text, sorted, so that equal inventories are one blob. */
export function writeInventory({ files, packages, nested }: Inventory): Uint8Array {
  const lines = [
    ...[...files].map(([path, { version, content }]) => `f\0${path}\0${version}\0${content}\0`),
    ...[...packages].map(([path, name]) => `p\0${path}\0${name}\0\0`),
    ...[...nested].map(([path, state]) => `n\0${path}\0${state}\0\0`),
  ]
  return Buffer.from(lines.sort().join(''), 'latin1')
}

export function readInventory(bytes: Uint8Array): Inventory {
  const files = new Map<RawPath, InventoryFile>()
  const packages = new Map<RawPath, string>()
  const nested = new Map<RawPath, string>()
  const parts = splitAtNul(Buffer.from(bytes).toString('latin1'))
  for (let index = 0; index + 3 < parts.length; index += 4) {
    const [kind, path = '', one = '', other = ''] = parts.slice(index, index + 4)
    if (kind === 'f') files.set(path, { version: one, content: other })
    else if (kind === 'p') packages.set(path, one)
    else if (kind === 'n') nested.set(path, one)
  }
  return { files, packages, nested }
}

const Manifest = z.object({ name: z.string(), version: z.string() })

function nameOf(bytes: Buffer): string | undefined {
  try {
    const manifest = Manifest.safeParse(JSON.parse(bytes.toString('utf8'))).data
    return manifest && Buffer.from(`${manifest.name}@${manifest.version}`).toString('latin1')
  } catch (error) {
    // A package with an unreadable manifest has no name, and each of its files counts.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The folder of the package that a manifest of Node belongs to. */
function packageFolder(path: RawPath): RawPath | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/package\.json$)/s.exec(path)?.[0]
}

function digestOf({ mode }: BigIntStats, bytes: Buffer): string {
  return `${(mode & 0o170111n).toString(8)}:${createHash('sha256').update(bytes).digest('base64url')}`
}

function contentOf(path: Buffer, stats: BigIntStats): Buffer | undefined {
  try {
    if (stats.isSymbolicLink()) return readlinkSync(path, { encoding: 'buffer' })
    if (!stats.isFile()) return Buffer.alloc(0)
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    try {
      return fstatSync(fd).isFile() ? readFileSync(fd) : Buffer.alloc(0)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

/** Whether the file may change again within this clock tick while its change time stays the same. */
function isFresh({ ctimeNs }: BigIntStats): boolean {
  return BigInt(Date.now()) * 1_000_000n - ctimeNs < (ctimeNs % 1_000_000_000n === 0n ? 20n * tickNs : tickNs)
}

function entriesOf(folder: Buffer): readonly Dirent[] {
  try {
    return readdirSync(folder, { encoding: 'latin1', withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}

function at(top: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${top}/`), rawBytes(path)])
}
