import nodeFileSystem from 'node:fs'
import { codeOf, isPassing } from './file-errors.ts'
import type { FileSystem } from './file-system.ts'
import { requireFile } from './only-files.ts'

/** Where waiting for the disk happens: in the caller's thread, in the thread pool, or wherever it costs less. */
export type CommitMode = 'inline' | 'pool' | 'auto'

export interface DiskOptions {
  readonly fileSystem: FileSystem
  readonly commit: CommitMode
  /** Milliseconds that only grow. */
  readonly ticks: () => number
  readonly platform: string
  /** Absent where the system does not tell. */
  readonly nameOf?: ((fd: number) => string | undefined) | undefined
  /** Opens a new file to read and write; absent where the file system does it. */
  readonly openNew?: ((path: string) => number) | undefined
}

/** A folder that is open, whose names can be made durable. */
export interface OpenDirectory extends Disposable {
  flush(): Promise<void>
}

const cheapFlushMs = 0.5
const slowFlushMs = 2

/**
 * Writes and flushes, and knows what a flush costs.
 *
 * With `auto`, a flush runs inline while flushes are cheap: a hop to the thread pool costs more than the flush. Where
 * they are not, they go to the pool. Between two that run inline the event loop gets its turn, so it is never blocked
 * for more than one.
 */
export class Disk {
  readonly fs: FileSystem
  readonly #options: DiskOptions
  #averageMs = 0
  #turn: Promise<void> | undefined

  constructor(options: DiskOptions) {
    this.fs = options.fileSystem
    this.#options = options
  }

  get isWindows(): boolean {
    return this.#options.platform === 'win32'
  }

  /** The name that an open file has now, told without a look at the file itself; undefined where that cannot be had. */
  nameOf(fd: number): string | undefined {
    return this.#options.nameOf?.(fd)
  }

  /** Opens a file that is not there yet, for this user alone, to write it and to read what was written. */
  openNew(path: string): number {
    return this.#options.openNew?.(path) ?? this.fs.openSync(path, newFile, ownerOnly)
  }

  get flushesInline(): boolean {
    const { commit } = this.#options
    return commit === 'auto' ? this.#averageMs < cheapFlushMs : commit === 'inline'
  }

  /**
   * What to wait for before a flush runs inline: that the event loop has had its turn since the last one. Of several
   * that wait one goes first, so the others have to look again.
   */
  get turn(): Promise<void> | undefined {
    return this.#turn
  }

  /** Writes all of it, however little the system takes at a time. */
  writeAll(fd: number, data: Uint8Array, position: number): void {
    let offset = 0
    while (offset < data.length) {
      const written = this.fs.writeSync(fd, data, offset, data.length - offset, position + offset)
      if (written === 0) throw Object.assign(new Error('The system took none of the bytes.'), { code: 'EIO' })
      offset += written
    }
  }

  /** The same in the thread pool. */
  async writeAllInPool(fd: number, data: Uint8Array, position: number): Promise<void> {
    let offset = 0
    while (offset < data.length) {
      const from = offset
      const written = await new Promise<number>((resolve, reject) => {
        this.fs.write(fd, data, from, data.length - from, position + from, (error, count) =>
          error === null ? resolve(count) : reject(error),
        )
      })
      if (written === 0) throw Object.assign(new Error('The system took none of the bytes.'), { code: 'EIO' })
      offset += written
    }
  }

  /** Makes a few records durable, inline, and learns what that costs. */
  flushInline(fd: number): void {
    const start = this.#options.ticks()
    this.fs.fdatasyncSync(fd)
    this.#learn(this.#options.ticks() - start)
    this.#passTurn()
  }

  async flushInPool(fd: number): Promise<void> {
    const start = this.#options.ticks()
    await inPool((done) => this.fs.fdatasync(fd, done))
    this.#learn(this.#options.ticks() - start)
  }

  /** Makes a whole file durable, in the way that is cheaper now. It costs its size, from which nothing is learnt. */
  async flush(fd: number): Promise<void> {
    if (!this.flushesInline) return inPool((done) => this.fs.fdatasync(fd, done))
    while (this.turn) await this.turn
    this.fs.fdatasyncSync(fd)
    this.#passTurn()
  }

  /** Makes the names in a folder durable. */
  async flushDirectory(directory: string): Promise<void> {
    using names = this.openDirectory(directory)
    await names.flush()
  }

  /**
   * Opens a folder of which a name is about to change. Before the change, because a refusal to open it is harmless then;
   * afterwards it would leave open whether the name is durable. Windows has no such call and needs none.
   */
  openDirectory(directory: string): OpenDirectory {
    if (this.isWindows) return { flush: async () => undefined, [Symbol.dispose]: () => undefined }
    const fd = this.fs.openSync(directory, 'r')
    return { flush: () => this.#flushNames(fd), [Symbol.dispose]: () => this.#closeRead(fd) }
  }

  /** Of a folder that was only read, closing it can fail without any harm. */
  #closeRead(fd: number): void {
    try {
      this.fs.closeSync(fd)
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
  }

  async #flushNames(fd: number): Promise<void> {
    if (!this.flushesInline) return inPool((done) => this.fs.fsync(fd, done))
    while (this.turn) await this.turn
    this.fs.fsyncSync(fd)
    this.#passTurn()
  }

  /** Renames; on Windows again, for a while, because scanners hold files open. */
  async rename(from: string, to: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.fs.renameSync(from, to)
      } catch (error) {
        const held = this.isWindows && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '')
        if (!held || attempt > 10) throw error
        await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** Math.min(attempt, 6)))
      }
    }
  }

  /** Writes a small file that is not there yet, and leaves none when it cannot. A power cut may take it back. */
  writeNew(path: string, bytes: Uint8Array): void {
    const fd = this.fs.openSync(path, 'wx', ownerOnly)
    try {
      this.writeAll(fd, bytes, 0)
    } catch (error) {
      this.removeIfThere(path)
      throw error
    } finally {
      this.fs.closeSync(fd)
    }
  }

  removeIfThere(path: string): void {
    try {
      this.fs.unlinkSync(path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }

  /** Throws when something else than a file stands there: opening a pipe would wait for ever, and a device has no end. */
  requireFile(path: string): void {
    requireFile(path, this.fs.statSync(path, { throwIfNoEntry: false }))
  }

  /** All of a file that has to be there. */
  read(path: string): Uint8Array {
    this.requireFile(path)
    return this.fs.readFileSync(path)
  }

  readIfThere(path: string): Uint8Array | undefined {
    try {
      return this.read(path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  /**
   * What a cache holds; one that cannot be read is as good as none. Of what may pass by itself nothing is concluded: it
   * is thrown.
   */
  readCache(path: string): Uint8Array | undefined {
    return asCache(() => this.readIfThere(path))
  }

  /** The same of the end of it. */
  readCacheTail(path: string, length: number): Uint8Array | undefined {
    return asCache(() => this.readTail(path, length))
  }

  /** The end of a file, without the rest. */
  readTail(path: string, length: number): Uint8Array | undefined {
    const facts = this.fs.statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return undefined
    requireFile(path, facts)
    const { size } = facts
    const fd = this.fs.openSync(path, 'r')
    try {
      const tail = new Uint8Array(Math.min(length, size))
      return tail.subarray(0, this.fs.readSync(fd, tail, 0, tail.length, size - tail.length))
    } finally {
      this.fs.closeSync(fd)
    }
  }

  /** The beginning of a file, without the rest. */
  readStart(path: string, length: number): Uint8Array | undefined {
    try {
      this.requireFile(path)
      const fd = this.fs.openSync(path, 'r')
      try {
        const start = new Uint8Array(length)
        return start.subarray(0, this.fs.readSync(fd, start, 0, length, 0))
      } finally {
        this.fs.closeSync(fd)
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  /** Whether the name is taken. A link that leads to itself takes it as well. */
  exists(path: string): boolean {
    try {
      return this.fs.statSync(path, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      if (codeOf(error) === 'ELOOP') return true
      throw error
    }
  }

  /** 0 where it cannot be told, too. */
  sizeOf(path: string): number {
    return asCache(() => this.fs.statSync(path, { throwIfNoEntry: false }))?.size ?? 0
  }

  /** Whether a folder has this name, which no file can be put over. */
  isFolder(path: string): boolean {
    return this.exists(path) && asCache(() => this.fs.statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true
  }

  #learn(ms: number): void {
    // A single slow one is a neighbour's doing; a slow disk shows in the second or third.
    const counted = Math.min(ms, slowFlushMs)
    this.#averageMs = this.#averageMs === 0 ? counted : this.#averageMs * 0.9 + counted * 0.1
  }

  #passTurn(): void {
    this.#turn = new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined
        resolve()
      })
    })
  }
}

/** The disk of this machine, unless another file system is handed in. */
export function systemDisk(fileSystem: FileSystem = nodeFileSystem, commit: CommitMode = 'auto'): Disk {
  const { platform } = process
  const isLinux = fileSystem === nodeFileSystem && platform === 'linux'
  const [nameOf, openNew] = isLinux ? [nameInProc, openUntimed] : []
  return new Disk({ fileSystem, commit, ticks: () => performance.now(), platform, nameOf, openNew })
}

const newFile = 'wx+'
const ownerOnly = 0o600

/** Reading from it leaves no time of access: Linux would take that into its books, and each flush would cost more. */
function openUntimed(path: string): number {
  const { O_CREAT, O_EXCL, O_NOATIME, O_RDWR } = nodeFileSystem.constants
  try {
    return nodeFileSystem.openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOATIME, ownerOnly)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error
    // On some mounts files belong to another user, and O_NOATIME is for owners. The file may have been made anyway.
    nodeFileSystem.rmSync(path, { force: true })
    return nodeFileSystem.openSync(path, newFile, ownerOnly)
  }
}

/** Of a file that was removed or replaced, the name has a mark behind it. */
function nameInProc(fd: number): string | undefined {
  try {
    return nodeFileSystem.readlinkSync(`/proc/self/fd/${fd}`)
  } catch (error) {
    // There may be no /proc, or none for this process.
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

function asCache<Found>(read: () => Found | undefined): Found | undefined {
  try {
    return read()
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined || isPassing(error)) throw error
    return undefined
  }
}

function inPool(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}
