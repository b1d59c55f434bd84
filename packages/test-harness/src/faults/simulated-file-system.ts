import { setImmediate } from 'node:timers'
import { type DiskImage, filesOf, imageOf, type Inode } from './disk-image.ts'
import { DiskOverlay } from './disk-overlay.ts'
import type {
  Acknowledgement,
  CallResult,
  FileStatus,
  FileSystemPort,
  MakeDirectoryOptions,
  OpenFlags,
  SystemError,
} from './file-system-port.ts'
import { Gate, type HeldCalls } from './gate.ts'
import {
  creation,
  find,
  findOrNone,
  linking,
  makingDirectories,
  removingDirectory,
  renaming,
  unlinking,
} from './name-changes.ts'
import { allOf, copyOut } from './paged-bytes.ts'
import type { RecordedChange, FileSystemRecording, RecordedCall, RecordedEvent } from './recording.ts'
import { isSystemError, systemError } from './system-error.ts'

/** The initial content of a simulated disk. */
export interface SimulatedFileSystemOptions {
  /** Initial files by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Initial folders; those of `files` exist anyway. */
  readonly directories?: readonly string[]
}

interface Descriptor {
  readonly inode: Inode
  readonly path: string
  readonly flags: OpenFlags
  position: number
}

/**
 * A disk in memory that knows which changes would survive a power cut.
 *
 * It answers as Linux does, and records every call that changes something. Calls with a callback take effect when they
 * are made and complete later, in order: until then a crash may find them done, half done or not done. `Mark` is what a
 * test notes in between, such as what was acknowledged.
 */
export class SimulatedFileSystem<Mark = unknown> implements FileSystemPort {
  readonly recording: FileSystemRecording<Mark>

  readonly #disk: DiskOverlay
  readonly #events: RecordedEvent<Mark>[] = []
  readonly #descriptors = new Map<number, Descriptor>()
  readonly #completions = new Gate(setImmediate)
  readonly #changedAt = new Map<Inode, number>()
  readonly #numbers = new Map<Inode, number>()
  #lastDescriptor = 2
  #clock = 0
  /** The calls begun by the callback method that is running. */
  #begun: RecordedCall[] | undefined

  constructor(start: SimulatedFileSystemOptions | DiskImage = {}) {
    const image = 'root' in start ? start : imageOf(start.files ?? {}, start.directories ?? [])
    this.#disk = new DiskOverlay(image)
    this.recording = { start: image, events: this.#events }
  }

  /** Notes something between two calls, such as what is acknowledged by now. */
  mark(mark: Mark): void {
    this.#events.push({ type: 'mark', mark })
  }

  /** From now on callbacks wait until they are released. */
  holdCompletions(): HeldCalls {
    return this.#completions.hold()
  }

  /** Drops the changes of this file that a failed flush loses: no later flush writes them. */
  loseUnflushed(fd: number): void {
    this.#events.push({ type: 'lost', inode: this.#descriptor(fd, 'fsync').inode })
  }

  /** Every file as a running program sees it. */
  files(): Record<string, Uint8Array> {
    return filesOf(this.#disk.copy())
  }

  /** What the next process finds when this one is killed: every change that took effect, as durable. */
  afterKill(): SimulatedFileSystem<Mark> {
    return new SimulatedFileSystem<Mark>(this.#disk.copy())
  }

  /** The paths of open files. */
  openPaths(): string[] {
    return [...this.#descriptors.values()].map(({ path }) => path)
  }

  openSync(path: string, flags: OpenFlags, _mode?: number): number {
    const inode = this.#opened(path, flags)
    this.#lastDescriptor += 1
    this.#descriptors.set(this.#lastDescriptor, { inode, path, flags, position: 0 })
    return this.#lastDescriptor
  }

  closeSync(fd: number): void {
    this.#descriptor(fd, 'close')
    this.#descriptors.delete(fd)
  }

  readSync(fd: number, into: Uint8Array, offset: number, length: number, position: number | null): number {
    const descriptor = this.#descriptor(fd, 'read')
    requireRange(into, offset, length)
    if (!isReadable(descriptor.flags)) throw systemError('EBADF', { syscall: 'read' })
    if (descriptor.inode.kind === 'directory') throw systemError('EISDIR', { syscall: 'read' })
    const bytes = this.#disk.bytesOf(descriptor.inode)
    const count = copyOut(bytes, position ?? descriptor.position, into.subarray(offset, offset + length))
    if (position === null) descriptor.position += count
    return count
  }

  writeSync(fd: number, data: Uint8Array, offset: number, length: number, position: number | null): number {
    const descriptor = this.#descriptor(fd, 'write')
    requireRange(data, offset, length)
    const { inode, flags, path } = descriptor
    if (flags === 'r') throw systemError('EBADF', { syscall: 'write' })
    const at = flags === 'a' ? this.#disk.bytesOf(inode).size : (position ?? descriptor.position)
    const written = data.slice(offset, offset + length)
    if (length > 0) {
      this.#change(`write ${path} ${at}+${length}`, [{ kind: 'write', inode, position: at, data: written }])
    }
    if (position === null) descriptor.position = at + length
    return length
  }

  readFileSync(path: string): Uint8Array {
    const inode = find(this.#disk, path, { syscall: 'open', path })
    if (inode.kind === 'directory') throw systemError('EISDIR', { syscall: 'read' })
    return allOf(this.#disk.bytesOf(inode))
  }

  fsyncSync(fd: number): void {
    this.#flush(fd, 'fsync')
  }

  fdatasyncSync(fd: number): void {
    this.#flush(fd, 'fdatasync')
  }

  ftruncateSync(fd: number, length: number): void {
    const { inode, flags, path } = this.#descriptor(fd, 'ftruncate')
    if (flags === 'r') throw systemError('EINVAL', { syscall: 'ftruncate' })
    const size = Math.max(0, length)
    this.#change(`ftruncate ${path} to ${size}`, [{ kind: 'truncate', inode, size }])
  }

  renameSync(from: string, to: string): void {
    this.#change(`rename ${from} -> ${to}`, renaming(this.#disk, from, to))
  }

  linkSync(existing: string, path: string): void {
    this.#change(`link ${existing} -> ${path}`, linking(this.#disk, existing, path))
  }

  unlinkSync(path: string): void {
    this.#change(`unlink ${path}`, unlinking(this.#disk, path))
  }

  mkdirSync(path: string, { recursive = false }: MakeDirectoryOptions = {}): string | undefined {
    const call = { syscall: 'mkdir', path }
    if (!recursive) {
      this.#change(`mkdir ${path}`, creation(this.#disk, path, { kind: 'directory' }, call))
      return undefined
    }
    const { made, changes } = makingDirectories(this.#disk, path, call)
    for (const [index, change] of changes.entries()) this.#change(`mkdir ${made[index]}`, [change])
    return made[0]
  }

  rmdirSync(path: string): void {
    this.#change(`rmdir ${path}`, removingDirectory(this.#disk, path))
  }

  readdirSync(path: string): string[] {
    const call = { syscall: 'scandir', path }
    const inode = find(this.#disk, path, call)
    if (inode.kind === 'file') throw systemError('ENOTDIR', call)
    return [...this.#disk.entriesOf(inode).keys()].sort()
  }

  statSync(path: string, _options: { readonly throwIfNoEntry: false }): FileStatus | undefined {
    try {
      return this.#status(path)
    } catch (error) {
      if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
      throw error
    }
  }

  open(path: string, flags: OpenFlags, mode: number, callback: CallResult<number>): void {
    this.#later(() => this.openSync(path, flags, mode), callback)
  }

  close(fd: number, callback: Acknowledgement): void {
    this.#later(() => this.closeSync(fd), callback)
  }

  read(
    fd: number,
    into: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
    callback: CallResult<number>,
  ): void {
    this.#later(() => this.readSync(fd, into, offset, length, position), callback)
  }

  write(
    fd: number,
    data: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
    callback: CallResult<number>,
  ): void {
    this.#later(() => this.writeSync(fd, data, offset, length, position), callback)
  }

  readFile(path: string, callback: CallResult<Uint8Array>): void {
    this.#later(() => this.readFileSync(path), callback)
  }

  fsync(fd: number, callback: Acknowledgement): void {
    this.#later(() => this.fsyncSync(fd), callback)
  }

  fdatasync(fd: number, callback: Acknowledgement): void {
    this.#later(() => this.fdatasyncSync(fd), callback)
  }

  ftruncate(fd: number, length: number, callback: Acknowledgement): void {
    this.#later(() => this.ftruncateSync(fd, length), callback)
  }

  rename(from: string, to: string, callback: Acknowledgement): void {
    this.#later(() => this.renameSync(from, to), callback)
  }

  link(existing: string, path: string, callback: Acknowledgement): void {
    this.#later(() => this.linkSync(existing, path), callback)
  }

  unlink(path: string, callback: Acknowledgement): void {
    this.#later(() => this.unlinkSync(path), callback)
  }

  mkdir(path: string, options: MakeDirectoryOptions, callback: Acknowledgement): void {
    this.#later(() => this.mkdirSync(path, options), callback)
  }

  rmdir(path: string, callback: Acknowledgement): void {
    this.#later(() => this.rmdirSync(path), callback)
  }

  readdir(path: string, callback: CallResult<string[]>): void {
    this.#later(() => this.readdirSync(path), callback)
  }

  stat(path: string, callback: CallResult<FileStatus>): void {
    this.#later(() => this.#status(path), callback)
  }

  #opened(path: string, flags: OpenFlags): Inode {
    const call = { syscall: 'open', path }
    const there = findOrNone(this.#disk, path, call)
    if (!there) {
      if (flags === 'r' || flags === 'r+') throw systemError('ENOENT', call)
      const inode: Inode = { kind: 'file' }
      this.#change(`create ${path}`, creation(this.#disk, path, inode, call))
      return inode
    }
    if (flags === 'wx' || flags === 'wx+') throw systemError('EEXIST', call)
    if (flags !== 'r' && there.kind === 'directory') throw systemError('EISDIR', call)
    if (flags === 'w') this.#change(`truncate ${path}`, [{ kind: 'truncate', inode: there, size: 0 }])
    return there
  }

  #descriptor(fd: number, syscall: string): Descriptor {
    const descriptor = this.#descriptors.get(fd)
    if (descriptor) return descriptor
    throw systemError('EBADF', { syscall })
  }

  #status(path: string): FileStatus {
    const inode = find(this.#disk, path, { syscall: 'stat', path })
    return {
      size: inode.kind === 'file' ? this.#disk.bytesOf(inode).size : 0,
      mtimeMs: this.#changedAt.get(inode) ?? 0,
      dev: 1,
      ino: this.#numberOf(inode),
      isFile: () => inode.kind === 'file',
      isDirectory: () => inode.kind === 'directory',
    }
  }

  /** Inode numbers are assigned on first use, so that two runs get the same ones. */
  #numberOf(inode: Inode): number {
    const number = this.#numbers.get(inode) ?? this.#numbers.size + 1
    this.#numbers.set(inode, number)
    return number
  }

  #change(label: string, changes: readonly RecordedChange[]): void {
    this.#clock += 1
    for (const change of changes) {
      this.#disk.apply(change)
      this.#changedAt.set(change.inode, this.#clock)
    }
    if (changes.length > 0) this.#record({ label, changes, flushes: null })
  }

  #flush(fd: number, syscall: 'fsync' | 'fdatasync'): void {
    const { inode, path } = this.#descriptor(fd, syscall)
    this.#record({ label: `${syscall} ${path}`, changes: [], flushes: inode })
  }

  #record(call: RecordedCall): void {
    this.#events.push({ type: this.#begun ? 'begun' : 'done', call })
    this.#begun?.push(call)
  }

  /** Takes effect now, and completes later. */
  #later<Value>(run: () => Value, callback: CallResult<Value>): void {
    const begun: RecordedCall[] = []
    this.#begun = begun
    const outcome = outcomeOf(run, () => (this.#begun = undefined))
    this.#completions.pass(() => {
      for (const call of begun) this.#events.push({ type: 'completed', call })
      // As in Node, a failed call passes no value.
      if (outcome.error) callback(outcome.error, undefined as Value)
      else callback(null, outcome.value)
    })
  }
}

type Outcome<Value> = { readonly error: null; readonly value: Value } | { readonly error: SystemError }

function outcomeOf<Value>(run: () => Value, afterwards: () => void): Outcome<Value> {
  try {
    return { error: null, value: run() }
  } catch (error) {
    if (isSystemError(error)) return { error }
    throw error
  } finally {
    afterwards()
  }
}

function isReadable(flags: OpenFlags): boolean {
  return flags === 'r' || flags.endsWith('+')
}

function requireRange(data: Uint8Array, offset: number, length: number): void {
  if (offset >= 0 && length >= 0 && offset + length <= data.length) return
  throw new RangeError(`A buffer of ${data.length} bytes has no ${length} bytes at ${offset}.`)
}
