import { join } from 'node:path'
import { newestFirst, type SessionRow } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { codeOf, isRefusal } from '../disk/file-errors.ts'
import { cannotLink } from '../disk/lock.ts'
import { replaceFile, temporaryName } from '../disk/new-file.ts'
import { type ProcessTable, parseProcess } from '../disk/process-table.ts'
import { checksum, hex } from '../format/checksum.ts'
import { checkedIndex, checkedLines, indexedRows, indexFiles, type Line } from './indexed-rows.ts'

/** Below this the journal of the index is not worth folding. */
const smallestFold = 64 * 1024

export interface IndexParts {
  readonly disk: Disk
  readonly directory: string
  readonly processes: ProcessTable
  /** Reads the rows off the sessions themselves. */
  readonly rowsOfFiles: () => SessionRow[]
}

/**
 * One row per session, so that listing needs no session: `_index.json`, newest first, and a small journal of what came
 * after it. A cache: the sessions are the truth.
 *
 * Invariants:
 * 1. A row moves from the journal to the fold in progress to the index, and is read in that order: whoever reads while
 *    it moves meets it at least once.
 * 2. Who appends makes sure afterwards that the journal was still the one that others read.
 * 3. Where the index is not there, or a byte of it is not as it was written, the files are asked instead. So it is
 *    there before the first row is, and it goes when a row cannot be written.
 * 4. One process at a time writes the index.
 */
export class SessionIndex {
  readonly #parts: IndexParts
  readonly #disk: Disk
  readonly #index: string
  readonly #journal: string
  readonly #folding: string
  readonly #lock: string
  #wasSound = false

  constructor(parts: IndexParts) {
    this.#parts = parts
    this.#disk = parts.disk
    const { index, journal, folding } = indexFiles(parts.directory)
    this.#index = index
    this.#journal = journal
    this.#folding = folding
    this.#lock = join(parts.directory, '_index.lock')
  }

  /** The row of a session, from now on. With `durably`, it survives a power cut. */
  async put(line: Line, { durably = false }: { readonly durably?: boolean } = {}): Promise<void> {
    try {
      if (!this.#isSound()) await this.#alone(() => this.#rebuild())
      while (!(await this.#append(line, durably)));
      if (this.#isLarge()) await this.#alone(() => this.#fold())
    } catch (error) {
      if (!isRefusal(error)) throw error
      // No row is better than an old one: without an index the files are asked.
      this.#disk.removeIfThere(this.#index)
    }
  }

  /** All rows, newest first; undefined when the index is missing or damaged. Writes nothing. */
  rows(): Iterable<SessionRow> | undefined {
    return indexedRows(this.#disk, this.#parts.directory)
  }

  /** Looks at every byte once, and from then on only whether the index is still there. */
  #isSound(): boolean {
    if (this.#wasSound) return this.#disk.exists(this.#index)
    const logs = [this.#journal, this.#folding].map((path) => checkedLines(this.#disk.readIfThere(path)))
    this.#wasSound = !logs.includes(undefined) && checkedIndex(this.#disk.readIfThere(this.#index)) !== undefined
    return this.#wasSound
  }

  async #append(line: Line, durably: boolean): Promise<boolean> {
    const json = JSON.stringify(line)
    // A line that a crash cut off ends here.
    const bytes = Buffer.from(`\n["${hex(checksum(json))}",${json}]\n`)
    const fd = this.#disk.fs.openSync(this.#journal, 'a', 0o600)
    try {
      const before = this.#disk.fs.statSync(this.#journal, { throwIfNoEntry: false })
      this.#disk.writeAll(fd, bytes, before?.size ?? 0)
      if (durably) {
        await this.#disk.flush(fd)
        await this.#disk.flushDirectory(this.#parts.directory)
      }
      return this.#disk.fs.statSync(this.#journal, { throwIfNoEntry: false })?.ino === before?.ino
    } finally {
      this.#disk.fs.closeSync(fd)
    }
  }

  #isLarge(): boolean {
    const size = (path: string) => this.#disk.fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
    return size(this.#journal) >= Math.max(smallestFold, size(this.#index) / 4)
  }

  async #fold(): Promise<void> {
    // A fold that a crash cut off comes first: what it moved away is nowhere else.
    if (!this.#disk.exists(this.#folding)) this.#disk.fs.renameSync(this.#journal, this.#folding)
    await this.#write(this.rows() ?? this.#parts.rowsOfFiles())
    this.#disk.removeIfThere(this.#folding)
  }

  /** All rows from the files. Those that arrive meanwhile go to a new journal. */
  async #rebuild(): Promise<void> {
    this.#clearLeftovers()
    this.#disk.removeIfThere(this.#index)
    this.#disk.removeIfThere(this.#folding)
    if (this.#disk.exists(this.#journal)) this.#disk.fs.renameSync(this.#journal, this.#folding)
    await this.#write(this.#parts.rowsOfFiles())
    this.#disk.removeIfThere(this.#folding)
    this.#wasSound = true
  }

  /** Does this unless another process is at it. A process that died at it is not. */
  async #alone(work: () => Promise<void>): Promise<void> {
    if (!this.#take() && !(this.#clearLock() && this.#take())) return
    try {
      await work()
    } finally {
      this.#disk.removeIfThere(this.#lock)
    }
  }

  #take(): boolean {
    const temporary = temporaryName(this.#lock)
    try {
      this.#disk.writeNew(temporary, Buffer.from(JSON.stringify(this.#parts.processes.self)))
      this.#disk.fs.linkSync(temporary, this.#lock)
      return true
    } catch (error) {
      // Taken; or whoever has it has removed our file as a leftover.
      if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false
      if (!cannotLink(error)) throw error
      return this.#takeWithoutLink()
    } finally {
      this.#disk.removeIfThere(temporary)
    }
  }

  #takeWithoutLink(): boolean {
    try {
      this.#disk.writeNew(this.#lock, Buffer.from(JSON.stringify(this.#parts.processes.self)))
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
  }

  /** Removes the lock of a process that died. One that cannot be read is what a power cut left of it. */
  #clearLock(): boolean {
    const holder = parseProcess(this.#disk.readIfThere(this.#lock))
    if (holder !== undefined && this.#parts.processes.stateOf(holder) !== 'dead') return false
    this.#disk.removeIfThere(this.#lock)
    return true
  }

  /** What others began and did not finish: nobody but us is at it. */
  #clearLeftovers(): void {
    const { directory } = this.#parts
    for (const name of this.#disk.fs.readdirSync(directory)) {
      if (name.startsWith('_index.') && name.endsWith('.tmp')) this.#disk.removeIfThere(join(directory, name))
    }
  }

  async #write(rows: Iterable<SessionRow>): Promise<void> {
    const lines = newestFirst([...rows]).map((row) => JSON.stringify(row))
    const body = `{"rows":[\n${lines.join(',\n')}\n]`
    await replaceFile(this.#disk, {
      path: this.#index,
      directory: this.#parts.directory,
      bytes: Buffer.from(`${body},\n"checksum":"${hex(checksum(body))}"}\n`),
      stillOurs: () => undefined,
    })
  }
}
