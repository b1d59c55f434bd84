/**
 * The calls of `node:fs` that a careful store needs. `node:fs` itself is one implementation, SimulatedFileSystem
 * another, and `faulty` wraps either.
 *
 * A directory is opened with 'r' and fsynced to make its entries durable.
 */
export interface FileSystemPort {
  openSync(path: string, flags: OpenFlags, mode?: number): number
  closeSync(fd: number): void
  readSync(fd: number, into: Uint8Array, offset: number, length: number, position: number | null): number
  writeSync(fd: number, data: Uint8Array, offset: number, length: number, position: number | null): number
  readFileSync(path: string): Uint8Array
  fsyncSync(fd: number): void
  fdatasyncSync(fd: number): void
  ftruncateSync(fd: number, length: number): void
  renameSync(from: string, to: string): void
  linkSync(existing: string, path: string): void
  unlinkSync(path: string): void
  /** With `recursive` the first folder that was created, if any. */
  mkdirSync(path: string, options: MakeDirectoryOptions): string | undefined
  rmdirSync(path: string): void
  readdirSync(path: string): string[]
  statSync(path: string, options: { readonly throwIfNoEntry: false }): FileStatus | undefined

  open(path: string, flags: OpenFlags, mode: number, callback: CallResult<number>): void
  close(fd: number, callback: Acknowledgement): void
  read(
    fd: number,
    into: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
    callback: CallResult<number>,
  ): void
  write(
    fd: number,
    data: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
    callback: CallResult<number>,
  ): void
  readFile(path: string, callback: CallResult<Uint8Array>): void
  fsync(fd: number, callback: Acknowledgement): void
  fdatasync(fd: number, callback: Acknowledgement): void
  ftruncate(fd: number, length: number, callback: Acknowledgement): void
  rename(from: string, to: string, callback: Acknowledgement): void
  link(existing: string, path: string, callback: Acknowledgement): void
  unlink(path: string, callback: Acknowledgement): void
  mkdir(path: string, options: MakeDirectoryOptions, callback: Acknowledgement): void
  rmdir(path: string, callback: Acknowledgement): void
  readdir(path: string, callback: CallResult<string[]>): void
  stat(path: string, callback: CallResult<FileStatus>): void
}

/** Read; write from scratch; the same, and new; read and write what is there; append. */
export type OpenFlags = 'r' | 'w' | 'wx' | 'wx+' | 'r+' | 'a'

/** Options of `mkdir`, as in Node. */
export interface MakeDirectoryOptions {
  readonly recursive?: boolean
  readonly mode?: number
}

/** The result of `stat`, as in Node. */
export interface FileStatus {
  readonly size: number
  readonly mtimeMs: number
  /** Device and inode number distinguish two files, also when one took the name of the other. */
  readonly dev: number
  readonly ino: number
  isFile(): boolean
  isDirectory(): boolean
}

/** The error of a failed call, as in Node. */
export interface SystemError extends Error {
  readonly code?: string | undefined
  readonly errno?: number | undefined
  readonly syscall?: string | undefined
  readonly path?: string | undefined
}

/** The callback of a call without a result, as in Node. */
export type Acknowledgement = (error: SystemError | null) => void

/** The callback of a call with a result, as in Node. */
export type CallResult<Value> = (error: SystemError | null, value: Value) => void
