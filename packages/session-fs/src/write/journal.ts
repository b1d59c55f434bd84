import type { Disk, OpenDirectory } from '../disk/disk.ts'
import { codeOf, uncertain } from '../disk/file-errors.ts'
import type { FileFacts } from '../disk/file-system.ts'
import { putInPlace, writeTemporary } from '../disk/new-file.ts'
import { journalUnit } from '../format/journal-content.ts'
import { encodeRecords, type JournalRecord } from '../format/record.ts'

/**
 * The live log of one writer.
 *
 * Invariants:
 * 1. The file is written front to back once, by one writer. Each begins its own, and another after every seal, under a
 *    new inode: a displaced writer goes on into a file that no process reads.
 * 2. It is full of newlines and durable wherever a record is written: writing into space that exists needs no second
 *    flush for the file system's own books. It begins small and grows in steps, and unused space is cut off at the end.
 *    Behind the last record there is filler always: a file that lost a byte of a record lacks it.
 * 3. What was refused is overwritten with newlines, durably, before the refusal is reported.
 * 4. Other programs can replace or remove the file at any time. So its device and number are remembered, and `isAt`
 *    tells whether the name still leads to it. That is one look at a name: it adds no write and no flush.
 * 5. Between two writes nothing asks for the times of the file where that can be helped: Linux then takes the exact time
 *    of the next write into its books, and each flush costs a third more. So the look is at the name that the open file
 *    has, and `isWhole`, which looks at the file, is for the end of a turn.
 */
export class Journal {
  readonly #disk: Disk
  readonly #fd: number
  readonly #identity: Identity | undefined
  readonly #mark: number
  #end: number
  #capacity: number
  /** How much of that survives a power cut. */
  #durable: number
  #sum: number
  /** The name that the open file had when the path was last seen to lead to it. */
  #name: string | undefined
  #closed = false

  private constructor(
    disk: Disk,
    fd: number,
    from: { identity: Identity | undefined; end: number; capacity: number; sum: number; mark: number },
  ) {
    this.#disk = disk
    this.#fd = fd
    this.#identity = from.identity
    this.#end = from.end
    this.#capacity = from.capacity
    this.#durable = from.capacity
    this.#sum = from.sum
    this.#mark = from.mark
  }

  /**
   * Begins a journal with these records, under the name, once `stillOurs` has nothing against it. It gets at least this
   * much room behind the records.
   */
  static async begin(
    disk: Disk,
    path: string,
    directory: string,
    {
      records,
      seed,
      mark,
      room,
      stillOurs,
    }: { records: readonly JournalRecord[]; seed: number; mark: number; room: number; stillOurs: () => void },
  ): Promise<Journal> {
    const { bytes: content, sum } = encodeRecords(records, { seed, mark })
    const capacity = wholeUnits(content.length + Math.max(room, leastFiller))
    const bytes = Buffer.alloc(capacity, '\n')
    bytes.set(content)
    using names = disk.openDirectory(directory)
    const { path: temporary, fd } = await writeTemporary(disk, path, bytes)
    try {
      // Asked under the temporary name, known to no other process: under the final one it may be another file already.
      const identity = disk.fs.statSync(temporary, { throwIfNoEntry: false })
      await putInPlace(disk, temporary, path, stillOurs)
      await flushName(names, path)
      return new Journal(disk, fd, { identity, end: content.length, capacity, sum, mark })
    } catch (error) {
      disk.fs.closeSync(fd)
      disk.removeIfThere(temporary)
      throw error
    }
  }

  get fd(): number {
    return this.#fd
  }

  /** Whether the path still leads to this file: another program may have put another one there. */
  isAt(path: string): boolean {
    const name = this.#disk.nameOf(this.#fd)
    if (name !== undefined && name === this.#name) return this.#holdsItsEnd()
    // Asked for before the look, so that it is not the name of a file that was replaced in between.
    const isThere = this.isWhole(path)
    this.#name = isThere ? name : undefined
    return isThere
  }

  /** Whether the end of the last record is still there: what was cut off or written over in its place ends otherwise. */
  #holdsItsEnd(): boolean {
    const { length } = recordEnd
    if (this.#end < length) return true
    const count = this.#disk.fs.readSync(this.#fd, endRead, 0, length, this.#end - length)
    return count === length && recordEnd.equals(endRead)
  }

  /** The same, and the file has its size. */
  isWhole(path: string): boolean {
    const there = factsAt(this.#disk, path)
    if (there === undefined || this.#identity === undefined) return false
    const { dev, ino } = this.#identity
    return there.dev === dev && there.ino === ino && there.size >= this.#capacity
  }

  /** Bytes that are in use. */
  get used(): number {
    return this.#end
  }

  /** Bytes that can be written without asking the file system for space. */
  get room(): number {
    return this.#capacity - this.#end - leastFiller
  }

  encode(records: readonly JournalRecord[]): { bytes: Uint8Array; sum: number } {
    return encodeRecords(records, { seed: this.#sum, mark: this.#mark })
  }

  /** Where the next records go. They count only once `advance` was called. */
  get position(): number {
    return this.#end
  }

  advance(bytes: number, sum: number): void {
    this.#end += bytes
    this.#sum = sum
  }

  /** Whether so much more can be written into space that is durable. */
  holds(bytes: number): boolean {
    return this.#end + bytes + leastFiller <= this.#durable
  }

  /** What was written before this is durable now, and so is the space that there is. */
  flushed(): void {
    this.#durable = this.#capacity
  }

  /**
   * Asks the file system for at least this much more space, which is durable with the next flush. The longer the file is,
   * the more it asks for, so that a long turn seldom has to. A refusal leaves the file as it was.
   */
  grow(bytes: number): void {
    const added = wholeUnits(Math.max(bytes, Math.min(this.#capacity / 2, largestStep)))
    try {
      for (let at = 0; at < added; at += filler.length)
        this.#disk.writeAll(this.#fd, filler.subarray(0, added - at), this.#capacity + at)
    } catch (error) {
      this.#disk.fs.ftruncateSync(this.#fd, this.#capacity)
      throw error
    }
    this.#capacity += added
  }

  /** Takes back what was written behind the end. */
  async scrub(bytes: number): Promise<void> {
    const length = Math.min(bytes, this.#capacity - this.#end)
    this.#disk.writeAll(this.#fd, Buffer.alloc(length, '\n'), this.#end)
    await this.#disk.flush(this.#fd)
  }

  /**
   * Gives back the space that no record needs any more. Not flushed: with more filler it is as good. A system that refuses
   * leaves it longer than it has to be.
   */
  cut(): void {
    const length = wholeUnits(this.#end + leastFiller)
    try {
      if (length < this.#capacity) this.#disk.fs.ftruncateSync(this.#fd, length)
      this.#capacity = Math.min(this.#capacity, length)
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#disk.fs.closeSync(this.#fd)
  }
}

/** From here on the name leads to the new file, so there is no going on with the one before, whatever the reason. */
async function flushName(names: OpenDirectory, path: string): Promise<void> {
  try {
    await names.flush()
  } catch (error) {
    throw uncertain(error, 'begin a journal', path)
  }
}

const leastFiller = 1
/** More than this is not asked for at once, unless it is needed. */
const largestStep = 64 * 1024
const filler = Buffer.alloc(largestStep, '\n')

function wholeUnits(bytes: number): number {
  return Math.ceil(bytes / journalUnit) * journalUnit
}

/** No filler of a journal reads like this. */
const recordEnd = Buffer.from(']\n')
const endRead = Buffer.alloc(recordEnd.length)

type Identity = Pick<FileFacts, 'dev' | 'ino'>

function factsAt(disk: Disk, path: string): FileFacts | undefined {
  try {
    return disk.fs.statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw uncertain(error, 'look at the journal', path)
  }
}
