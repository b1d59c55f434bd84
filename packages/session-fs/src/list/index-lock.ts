import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import { cannotLink } from '../disk/lock.ts'
import { temporaryName } from '../disk/new-file.ts'
import { type ProcessTable, parseProcess } from '../disk/process-table.ts'

/**
 * The right to write the index of a folder, for as long as that takes.
 *
 * Invariants:
 * 1. Only a holder that is known to live keeps it. One that died loses it, and so does one that cannot be asked: a
 *    container or a machine that is gone would hold it for ever.
 * 2. So a holder can be displaced while it works. The process that displaces it removes its files that are not in place
 *    yet. A holder asks whether the lock is still its own before it puts a file in place; if not, it leaves the work to
 *    the other.
 */
export class IndexLock {
  readonly #disk: Disk
  readonly #directory: string
  readonly #processes: ProcessTable
  readonly #path: string

  constructor(disk: Disk, directory: string, processes: ProcessTable) {
    this.#disk = disk
    this.#directory = directory
    this.#processes = processes
    this.#path = join(directory, '_index.lock')
  }

  /** Does this unless another process is at it, and up to where another one takes the lock. */
  async alone(work: (stillOurs: () => void) => Promise<void>): Promise<void> {
    const lock = this.#take() ?? (this.#clear() ? this.#take() : undefined)
    if (lock === undefined) return
    try {
      await work(() => this.#require(lock))
    } catch (error) {
      if (!LoaderError.is(error, 'writer_fenced')) throw error
    } finally {
      if (this.#isOurs(lock)) this.#disk.removeIfThere(this.#path)
    }
  }

  /** Removes files that other processes began and did not finish: the lock says that no other is at work on them. */
  clearLeftovers(): void {
    for (const name of this.#disk.fs.readdirSync(this.#directory)) {
      if (name.startsWith('_index.') && name.endsWith('.tmp')) this.#disk.removeIfThere(join(this.#directory, name))
    }
  }

  /** What the lock says now that it is ours, which no other lock says; undefined where another process has it. */
  #take(): Buffer | undefined {
    const temporary = temporaryName(this.#path)
    const lock = Buffer.from(JSON.stringify({ ...this.#processes.self, lock: temporary }))
    try {
      this.#disk.writeNew(temporary, lock)
      this.#disk.fs.linkSync(temporary, this.#path)
      return lock
    } catch (error) {
      // The lock is taken; its holder may have removed our file as a leftover.
      if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return undefined
      if (!cannotLink(error)) throw error
      return this.#takeWithoutLink(lock)
    } finally {
      this.#disk.removeIfThere(temporary)
    }
  }

  #takeWithoutLink(lock: Buffer): Buffer | undefined {
    try {
      this.#disk.writeNew(this.#path, lock)
      return lock
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return undefined
      throw error
    }
  }

  /** Removes the lock unless its holder is known to live. One that cannot be read was damaged by a power cut. */
  #clear(): boolean {
    const holder = parseProcess(this.#disk.readCache(this.#path))
    if (holder !== undefined && this.#processes.stateOf(holder) === 'alive') return false
    this.#disk.removeIfThere(this.#path)
    this.clearLeftovers()
    return true
  }

  #isOurs(lock: Buffer): boolean {
    const there = this.#disk.readIfThere(this.#path)
    return there !== undefined && lock.equals(there)
  }

  #require(lock: Buffer): void {
    if (this.#isOurs(lock)) return
    throw new LoaderError('writer_fenced', `Another process writes the index of ${this.#directory} now.`)
  }
}
