import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import type { WorkspaceSnapshot } from '@loader/session-core/coding'
import { type Folder, openFolder } from '../paths/folder.ts'
import { codeOf } from '../paths/system-errors.ts'
import { breather } from '../walk/breather.ts'
import { within } from '../walk/walk-folders.ts'
import { type CountedFile, countFiles, type Counting } from './counted-files.ts'
import { hashOf } from './file-hash.ts'
import { steeringPartOf } from '../trees/steering-part.ts'

/** A hash, and what the file looked like just before it was made. */
interface KnownFile {
  readonly stats: BigIntStats
  readonly hash: string
  /** It may have been changed in the same tick of the clock in which it was hashed, without looking any different. */
  readonly isRacy: boolean
}

/** Folders that are read at the same time. */
const parallel = 8
/** File systems that keep whole seconds only, or even ones, need a longer look back than others. */
const fineTickNs = 100_000_000n
const coarseTickNs = 2_000_000_000n
const second = 1_000_000_000n

/**
 * Snapshots of one workspace.
 *
 * 1. Every file that counts is in the snapshot, with its mode and content; what cannot be read is in it as such.
 * 2. A file is read again unless everything that the system tells about it is as it was, and it was last changed long
 *    enough before it was hashed for any later change to show.
 * 3. Nothing outside the workspace is read: folders are held, links are not followed.
 */
export class Snapshots {
  #counting: Omit<Counting, 'signal'>
  #known: ReadonlyMap<string, KnownFile> = new Map()

  constructor(counting: Omit<Counting, 'signal'>) {
    this.#counting = counting
  }

  async take(signal: Signal | undefined): Promise<WorkspaceSnapshot> {
    const known = new Map<string, KnownFile>()
    const files = new Map<string, string>()
    await this.#look('', { known, files, signal })
    this.#known = known
    const sorted = new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    return { fingerprint: fingerprintOf(sorted), files: sorted }
  }

  /** Looks at a repository, and at those that lie in it. */
  async #look(prefix: string, look: Look): Promise<void> {
    const root = join(this.#counting.root, prefix)
    const { folders, unreadable, gaveUpGit } = await countFiles({ ...this.#counting, root, signal: look.signal })
    if (gaveUpGit) this.#counting = { ...this.#counting, git: undefined }
    for (const folder of unreadable) look.files.set(`${within(prefix, folder)}/`, 'unreadable')
    const pending = [...folders].reverse()
    const nested: string[] = []
    const work = async () => {
      const rest = breather()
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        look.signal?.throwIfAborted()
        nested.push(...(await this.#lookInto(prefix, next[0], next[1], look)))
        await rest()
      }
    }
    await Promise.all(Array.from({ length: parallel }, work))
    for (const folder of nested) await this.#look(folder, look)
  }

  /** Returns the folders among them: those are repositories of their own. */
  async #lookInto(prefix: string, path: string, counted: readonly CountedFile[], look: Look): Promise<string[]> {
    using folder = holdOrWhy(join(this.#counting.root, prefix, path))
    if (!('at' in folder)) {
      if (folder.why !== undefined) for (const file of counted) look.files.set(within(prefix, file.path), folder.why)
      return []
    }
    const nested: string[] = []
    for (const file of counted) {
      const at = placeOf(folder, file.name)
      const whole = within(prefix, file.path)
      const stats = statsOf(at)
      if (stats === undefined) continue
      if (typeof stats === 'string') look.files.set(whole, `unreadable:${stats}`)
      else if (stats.isDirectory()) nested.push(whole)
      else await this.#lookAt(whole, at, stats, look)
    }
    return nested
  }

  async #lookAt(path: string, at: string | Buffer, stats: BigIntStats, { known, files, signal }: Look): Promise<void> {
    const before = this.#known.get(path)
    if (before !== undefined && !before.isRacy && looksTheSame(before.stats, stats)) {
      known.set(path, before)
      files.set(path, before.hash)
      return
    }
    const isRacy = isFresh(stats, BigInt(Date.now()) * 1_000_000n)
    const hash = await hashOf(at, stats, signal, steeringPartOf(path))
    if (hash === undefined) return
    known.set(path, { stats, hash, isRacy })
    files.set(path, hash)
  }
}

/** What one look at the workspace fills in. */
interface Look {
  readonly known: Map<string, KnownFile>
  readonly files: Map<string, string>
  readonly signal: Signal | undefined
}

/** The folder, or what keeps us out; nothing when it is gone or is no folder any more. */
function holdOrWhy(path: string): Folder | (Disposable & { readonly why: string | undefined }) {
  try {
    return openFolder(path)
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    const code = codeOf(error.cause)
    const why = code === undefined || code === 'ENOENT' ? undefined : `unreadable:${code}`
    return { why, [Symbol.dispose]: () => undefined }
  }
}

function placeOf(folder: Folder, name: string | Uint8Array): string | Buffer {
  return typeof name === 'string' ? folder.at(name) : Buffer.concat([Buffer.from(folder.at('')), name])
}

/** What the system tells about a path, or the code of its refusal. */
function statsOf(path: string | Buffer): BigIntStats | string | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    return code
  }
}

function looksTheSame(one: BigIntStats, other: BigIntStats): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mode === other.mode &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  )
}

/** A file of the future is fresh for ever: its clock is not ours. */
function isFresh({ mtimeNs, ctimeNs }: BigIntStats, nowNs: bigint): boolean {
  const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs
  const tick = ctimeNs % second === 0n ? coarseTickNs : fineTickNs
  return nowNs - changed < tick
}

function fingerprintOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [path, value] of files) hash.update(`${path}\0${value}\0`)
  return `sha256:${hash.digest('hex')}`
}
