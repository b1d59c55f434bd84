import { newestFirst, type SessionRow } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import { replaceFile } from '../disk/new-file.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { checksum, hex } from '../format/checksum.ts'
import { IndexLock } from './index-lock.ts'
import { endsSoundly, fromIndex, indexFiles, isSoundIndex, type IndexLine } from './indexed-rows.ts'

/** Below this the journal of the index is not worth folding. */
const smallestFold = 64 * 1024
const lookEvery = 16 * 1024
/** Up to here all of it is read as quickly as a part of it. */
const smallIndex = 64 * 1024

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
 * 1. A row moves from the journal to the fold in progress to the index, and is read in that order: a reader meets it at
 *    least once, also while it moves.
 * 2. A process that appends makes sure afterwards that the journal was still the one that others read.
 * 3. Where the index is not there, or a byte of it is not as it was written, the files are asked instead. So it is
 *    there before the first row is, and it goes when a row cannot be written.
 * 4. One process at a time writes the index: see `IndexLock`.
 * 5. Whatever the file system says of these files, it stops no writer of a session.
 */
export class SessionIndex {
  readonly #parts: IndexParts
  readonly #disk: Disk
  readonly #index: string
  readonly #journal: string
  readonly #folding: string
  readonly #lock: IndexLock
  #wasSound = false

  constructor(parts: IndexParts) {
    this.#parts = parts
    this.#disk = parts.disk
    const { index, journal, folding } = indexFiles(parts.directory)
    this.#index = index
    this.#journal = journal
    this.#folding = folding
    this.#lock = new IndexLock(parts.disk, parts.directory, parts.processes)
  }

  /** The row of a session, from now on. With `durably`, it survives a power cut. */
  async put(line: IndexLine, { durably = false }: { readonly durably?: boolean } = {}): Promise<void> {
    try {
      if (!this.#isSound()) await this.#lock.alone((stillOurs) => this.#rebuild(stillOurs))
      while (!(await this.#append(line, durably)));
      if (this.#isLarge()) await this.#lock.alone((stillOurs) => this.#fold(stillOurs))
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      this.#forget()
    }
  }

  /**
   * The same for a session that is gone, of which no word is to be left here either: the journal has rows of it that came
   * before. Where another process is at the files meanwhile, they go, and the next row makes them anew.
   */
  async erase(id: string): Promise<void> {
    await this.put({ id, deleted: true })
    const files = [this.#journal, this.#folding, this.#index]
    try {
      // The first fold may be one that a crash cut off, which leaves the journal as it is.
      for (let folds = 0; folds < 2; folds += 1) await this.#lock.alone((stillOurs) => this.#fold(stillOurs))
      if (!files.some((path) => this.#names(path, id))) return
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
    this.#wasSound = false
    for (const path of files) if (!this.#disk.isFolder(path)) this.#disk.removeIfThere(path)
  }

  #names(path: string, id: string): boolean {
    const bytes = this.#disk.readIfThere(path) ?? new Uint8Array()
    return Buffer.from(bytes).toString('utf8').toLowerCase().includes(`"id":"${id.toLowerCase()}"`)
  }

  /**
   * No row is better than an old one: without an index the files are asked. Where it cannot even be removed, the row stays
   * an old one, which is better than a session that cannot be written.
   */
  #forget(): void {
    this.#wasSound = false
    try {
      this.#disk.removeIfThere(this.#index)
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
  }

  /** All rows, newest first; undefined when the index is missing or damaged. Writes nothing. */
  rows(): readonly SessionRow[] | undefined {
    return fromIndex(this.#disk, this.#parts.directory, (rows) => [...rows])
  }

  /**
   * Looks once, and from then on only whether the index is still there. Of a large one it looks at the ends: the index is
   * put in place whole, and each line ends what was cut off before it, so a crash damages nothing else. Damage by
   * another program is seen when sessions are listed, and now and then here.
   */
  #isSound(): boolean {
    if (this.#wasSound) return this.#disk.exists(this.#index)
    const look = this.#size(this.#index) < smallIndex ? isSoundIndex : endsSoundly
    this.#wasSound = look(this.#disk, this.#parts.directory)
    return this.#wasSound
  }

  /** Looks at every byte once for so many bytes of rows. */
  #look(before: number, after: number): void {
    if (Math.floor(before / lookEvery) === Math.floor(after / lookEvery)) return
    if (!isSoundIndex(this.#disk, this.#parts.directory)) this.#forget()
  }

  async #append(line: IndexLine, durably: boolean): Promise<boolean> {
    const json = JSON.stringify(line)
    // A line that a crash cut off ends here.
    const bytes = Buffer.from(`\n["${hex(checksum(json))}",${json}]\n`)
    this.#disk.requireFile(this.#journal)
    const fd = this.#disk.fs.openSync(this.#journal, 'a', 0o600)
    try {
      const before = this.#disk.fs.statSync(this.#journal, { throwIfNoEntry: false })
      this.#disk.writeAll(fd, bytes, before?.size ?? 0)
      this.#look(before?.size ?? 0, (before?.size ?? 0) + bytes.length)
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
    return this.#size(this.#journal) >= Math.max(smallestFold, this.#size(this.#index) / 4)
  }

  #size(path: string): number {
    return this.#disk.fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }

  async #fold(stillOurs: () => void): Promise<void> {
    // A fold that a crash cut off comes first: what it moved away is nowhere else.
    if (!this.#disk.exists(this.#folding)) {
      if (!this.#disk.exists(this.#journal)) return
      this.#disk.fs.renameSync(this.#journal, this.#folding)
    }
    await this.#write(this.rows() ?? this.#parts.rowsOfFiles(), stillOurs)
    stillOurs()
    this.#disk.removeIfThere(this.#folding)
  }

  /** All rows from the files. Those that arrive meanwhile go to a new journal. */
  async #rebuild(stillOurs: () => void): Promise<void> {
    this.#lock.clearLeftovers()
    this.#disk.removeIfThere(this.#index)
    this.#disk.removeIfThere(this.#folding)
    if (this.#disk.exists(this.#journal)) this.#disk.fs.renameSync(this.#journal, this.#folding)
    await this.#write(this.#parts.rowsOfFiles(), stillOurs)
    stillOurs()
    this.#disk.removeIfThere(this.#folding)
    this.#wasSound = true
  }

  async #write(rows: readonly SessionRow[], stillOurs: () => void): Promise<void> {
    const lines = newestFirst(rows).map((row) => JSON.stringify(row))
    const body = `{"rows":[\n${lines.join(',\n')}\n]`
    await replaceFile(this.#disk, {
      path: this.#index,
      directory: this.#parts.directory,
      bytes: Buffer.from(`${body},\n"checksum":"${hex(checksum(body))}"}\n`),
      stillOurs,
    })
  }
}
