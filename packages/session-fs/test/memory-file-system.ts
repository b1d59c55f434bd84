import { basename, dirname } from 'node:path'
import { systemError, type SystemErrorCode } from '@loader/test-harness/faults'
import type { FileFacts, FileSystem } from '../src/index.ts'

interface File {
  bytes: Buffer
  readonly ino: number
  /** The file system that may write to it; others copy it first. */
  readonly of: MemoryFileSystem
}

let inodes = 0

/** No path of a test begins like this. */
const nameless = 'nameless '

/**
 * Files in memory, quick to copy as a whole: copies share what none of them has changed. Folders are only names, and
 * nothing is ever lost: for power cuts there is SimulatedFileSystem.
 */
export class MemoryFileSystem implements FileSystem {
  /** Calls that changed something. */
  changes = 0
  readonly #files: Map<string, File>
  readonly #folders: Set<string>
  readonly #open = new Map<number, string>()
  #lastDescriptor = 2

  constructor(from?: MemoryFileSystem) {
    this.#files = new Map(from === undefined ? [] : from.#files)
    this.#folders = new Set(from === undefined ? [] : from.#folders)
  }

  files(): ReadonlyMap<string, Buffer> {
    const named = [...this.#files].filter(([path]) => !path.startsWith(nameless))
    return new Map(named.map(([path, { bytes }]) => [path, bytes]))
  }

  /** Another content, as somebody outside would put it there. */
  put(path: string, bytes: Buffer): void {
    this.#files.set(path, this.#newFile(bytes))
  }

  openSync(path: string, flags: string): number {
    const there = this.#files.get(path)
    const isFolder = this.#folders.has(path)
    if (flags.startsWith('wx') && (there !== undefined || isFolder))
      throw systemError('EEXIST', { syscall: 'open', path })
    if (there === undefined && !isFolder) {
      if (flags.startsWith('r')) throw systemError('ENOENT', { syscall: 'open', path })
      this.#change()
      this.#files.set(path, this.#newFile(Buffer.alloc(0)))
    } else if (flags === 'w') this.#write(path, Buffer.alloc(0))
    this.#lastDescriptor += 1
    this.#open.set(this.#lastDescriptor, path)
    return this.#lastDescriptor
  }

  closeSync(fd: number): void {
    this.#open.delete(fd)
    this.#files.delete(`${nameless}${fd}`)
  }

  writeSync(fd: number, data: Uint8Array, offset: number, length: number, position: number): number {
    const path = this.#open.get(fd) as string
    const { bytes } = this.#own(path)
    const end = Math.max(bytes.length, position + length)
    const grown = end > bytes.length ? Buffer.concat([bytes], end) : bytes
    grown.set(data.subarray(offset, offset + length), position)
    this.#write(path, grown)
    return length
  }

  readSync(fd: number, into: Uint8Array, offset: number, length: number, position: number): number {
    const bytes = this.#require(this.#open.get(fd) as string, 'read').bytes.subarray(position, position + length)
    into.set(bytes, offset)
    return bytes.length
  }

  readFileSync(path: string): Uint8Array {
    return this.#require(path, 'open').bytes
  }

  fsyncSync(): void {}

  fdatasyncSync(): void {}

  ftruncateSync(fd: number, length: number): void {
    const path = this.#open.get(fd) as string
    this.#write(path, Buffer.concat([this.#own(path).bytes], length))
  }

  renameSync(from: string, to: string): void {
    const file = this.#require(from, 'rename')
    if (this.#files.has(to)) this.unlinkSync(to)
    this.#files.set(to, file)
    this.unlinkSync(from)
  }

  linkSync(existing: string, name: string): void {
    if (this.#files.has(name)) throw systemError('EEXIST', { syscall: 'link', path: existing, dest: name })
    this.#change()
    this.#files.set(name, this.#require(existing, 'link'))
  }

  unlinkSync(path: string): void {
    const file = this.#require(path, 'unlink')
    this.#change()
    this.#files.delete(path)
    const other = [...this.#files].find(([, each]) => each === file)?.[0]
    // What is open stays what it is, under another name or under none.
    for (const [fd] of [...this.#open].filter(([, name]) => name === path)) {
      this.#open.set(fd, other ?? `${nameless}${fd}`)
      if (other === undefined) this.#files.set(`${nameless}${fd}`, file)
    }
  }

  mkdirSync(path: string): undefined {
    this.#change()
    for (let folder = path; folder !== '/'; folder = dirname(folder)) this.#folders.add(folder)
  }

  rmdirSync(path: string): void {
    this.#change()
    this.#folders.delete(path)
  }

  readdirSync(path: string): string[] {
    if (!this.#folders.has(path)) throw systemError('ENOENT', { syscall: 'scandir', path })
    return [...this.#files.keys(), ...this.#folders]
      .filter((each) => dirname(each) === path)
      .map((each) => basename(each))
  }

  statSync(path: string): FileFacts | undefined {
    const file = this.#files.get(path)
    if (file !== undefined)
      return {
        size: file.bytes.length,
        dev: 1,
        ino: file.ino,
        mtimeMs: 0,
        isDirectory: () => false,
        isFile: () => true,
      }
    return this.#folders.has(path)
      ? { size: 0, dev: 1, ino: 0, mtimeMs: 0, isDirectory: () => true, isFile: () => false }
      : undefined
  }

  write(...[fd, data, offset, length, position, done]: Parameters<FileSystem['write']>): void {
    done(null, this.writeSync(fd, data, offset, length, position))
  }

  fsync(_fd: number, done: (error: null) => void): void {
    done(null)
  }

  fdatasync(_fd: number, done: (error: null) => void): void {
    done(null)
  }

  #change(): void {
    this.changes += 1
  }

  #newFile(bytes: Buffer): File {
    inodes += 1
    return { bytes, ino: inodes, of: this }
  }

  #own(path: string): File {
    const file = this.#require(path, 'write')
    if (file.of === this) return file
    const own = { ...file, bytes: Buffer.from(file.bytes), of: this }
    this.#files.set(path, own)
    return own
  }

  #write(path: string, bytes: Buffer): void {
    this.#change()
    this.#own(path).bytes = bytes
  }

  #require(path: string, syscall: string, code: SystemErrorCode = 'ENOENT'): File {
    const file = this.#files.get(path)
    if (file !== undefined) return file
    throw systemError(code, { syscall, path })
  }
}
