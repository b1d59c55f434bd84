import { type BigIntStats, copyFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexEntry, readIndex, writeIndex } from '../git/index-file.ts'
import { codeOf } from '../paths/system-errors.ts'
import type { RawPath } from './raw-path.ts'

let count = 0

/**
 * An index that only this object writes, beside the one that all share.
 *
 * 1. No process waits for another: each works on a copy and puts it in the place of the shared one when it is done. The
 *    last one wins; what the others have stored stays stored.
 * 2. A process that is killed leaves the shared index as it was.
 * 3. A copy keeps the time of what it was copied from: by that git knows which files may have changed since unseen.
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

  /** Takes over what others have published since. */
  begin(): void {
    // One that was left by a git of ours that was killed.
    rmSync(`${this.path}.lock`, { force: true })
    const shared = versionOf(this.#shared)
    if (shared === undefined || shared === this.#seen) return
    copyWithTime(this.#shared, this.path)
    this.#seen = versionOf(this.#shared)
    this.#published = versionOf(this.path)
    this.#tree = undefined
  }

  /** Forgets everything, for an index that git cannot read. */
  reset(): void {
    this.#tree = undefined
    rmSync(this.path, { force: true })
    rmSync(`${this.path}.lock`, { force: true })
  }

  /** What it lists. */
  read(): Map<RawPath, IndexEntry> {
    return readIndex(this.path) ?? new Map()
  }

  write(entries: ReadonlyMap<RawPath, IndexEntry>): void {
    // Which tree it has by now is known when that is kept.
    this.#tree = undefined
    writeIndex(this.path, entries)
  }

  /** The tree of the files that it lists. Git only notes how they look. */
  get tree(): string | undefined {
    return this.#tree
  }

  /** Whether nothing in it has changed since it was published. */
  get isPublished(): boolean {
    return this.#published !== undefined && this.#published === versionOf(this.path)
  }

  /** Puts it in the place of the shared one, with the tree that was written from it. */
  publish(tree: string): void {
    const own = versionOf(this.path)
    this.#tree = tree
    if (own === undefined || own === this.#published) return
    const copy = `${this.path}.copy`
    copyWithTime(this.path, copy)
    const { ino } = statSync(copy, { bigint: true })
    renameSync(copy, this.#shared)
    const now = statSync(this.#shared, { bigint: true, throwIfNoEntry: false })
    // Another process can have put its own there by now.
    this.#seen = now?.ino === ino ? versionKey(now) : undefined
    this.#published = own
  }

  /** The version of the shared one that it comes from, or has become. */
  get shared(): string | undefined {
    return this.#seen
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { force: true })
  }
}

/** Differs whenever another process may have published. */
export function sharedVersion(folder: string): string | undefined {
  return versionOf(join(folder, 'index'))
}

function copyWithTime(from: string, to: string): void {
  const { atimeMs, mtimeMs } = statSync(from)
  copyFileSync(from, to)
  // Rather a little too old than too new.
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

/** Differs whenever the system can tell that a file is another one, or was changed. */
export function versionKey({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`
}
