import { type BigIntStats, copyFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexEntry, readIndex, writeIndex } from '../git/index-file.ts'
import { codeOf } from '../paths/system-errors.ts'
import type { RawPath } from './raw-path.ts'

let count = 0

/**
 * An index that only this object writes, next to the shared one.
 *
 * 1. Processes do not wait for each other: each works on a copy and renames it over the shared one. The last one wins;
 *    the objects that the others have stored stay.
 * 2. A killed process leaves the shared index unchanged.
 * 3. A copy keeps the modification time of the original, by which git knows which files may have changed unseen.
 */
export class PrivateIndex implements Disposable {
  readonly path: string
  readonly #shared: string
  #seen: string | undefined
  #published: string | undefined
  #tree: string | undefined

  constructor(folder: string) {
    count += 1
    this.path = join(folder, `index.${process.pid}-${process.hrtime.bigint().toString(36)}-${count}`)
    this.#shared = join(folder, 'index')
  }

  /** Takes over what other processes have published since. */
  begin(): void {
    // A lock that one of our own git processes left when it was killed.
    rmSync(`${this.path}.lock`, { force: true })
    const shared = versionOf(this.#shared)
    if (shared === undefined || shared === this.#seen) return
    copyWithTime(this.#shared, this.path)
    this.#seen = versionOf(this.#shared)
    this.#published = versionOf(this.path)
    this.#tree = undefined
  }

  /** Starts with an empty index, for one that git cannot read. */
  reset(): void {
    this.#tree = undefined
    rmSync(this.path, { force: true })
    rmSync(`${this.path}.lock`, { force: true })
  }

  /** Its entries. */
  read(): Map<RawPath, IndexEntry> {
    return readIndex(this.path) ?? new Map()
  }

  write(entries: ReadonlyMap<RawPath, IndexEntry>): void {
    // Its tree id is unknown until that tree is stored.
    this.#tree = undefined
    writeIndex(this.path, entries)
  }

  /** The tree of its entries. Stays valid when git only refreshes stat data. */
  get tree(): string | undefined {
    return this.#tree
  }

  /** Whether it is unchanged since it was published. */
  get isPublished(): boolean {
    return this.#published !== undefined && this.#published === versionOf(this.path)
  }

  /** Replaces the shared index with this one, and records the tree that was written from it. */
  publish(tree: string): void {
    const own = versionOf(this.path)
    this.#tree = tree
    if (own === undefined || own === this.#published) return
    const copy = `${this.path}.copy`
    copyWithTime(this.path, copy)
    const { ino } = statSync(copy, { bigint: true })
    renameSync(copy, this.#shared)
    const now = statSync(this.#shared, { bigint: true, throwIfNoEntry: false })
    // Another process can have published its own meanwhile.
    this.#seen = now?.ino === ino ? versionKey(now) : undefined
    this.#published = own
  }

  /** The version of the shared index that this one was copied from or published as. */
  get shared(): string | undefined {
    return this.#seen
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { force: true })
  }
}

/** Changes whenever another process may have published. */
export function sharedVersion(folder: string): string | undefined {
  return versionOf(join(folder, 'index'))
}

function copyWithTime(from: string, to: string): void {
  const { atimeMs, mtimeMs } = statSync(from)
  copyFileSync(from, to)
  // Rounded down: an older time only makes git read more files.
  utimesSync(to, atimeMs / 1000, mtimeMs / 1000 - 0.001)
}

function versionOf(path: string): string | undefined {
  try {
    return versionKey(statSync(path, { bigint: true }))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Changes whenever the system can tell that a file was replaced or changed. */
export function versionKey({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`
}
