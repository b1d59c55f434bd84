/** What the store asks of a file: a part of what `node:fs` tells. */
export interface FileFacts {
  readonly size: number
  /** Device and number together tell one file from every other. */
  readonly dev: number
  readonly ino: number
  readonly mtimeMs: number
  isDirectory(): boolean
  /** Whether it is an ordinary file: no folder, pipe, socket or device. */
  isFile(): boolean
}

type Done = (error: Error | null) => void

/**
 * The file system, handed in: `node:fs` is one, and tests bring theirs. Operations that can wait for the disk come in
 * the callback form as well; that is the form `node:fs` is fastest in.
 */
export interface FileSystem {
  openSync(path: string, flags: string, mode?: number): number
  closeSync(fd: number): void
  writeSync(fd: number, data: Uint8Array, offset: number, length: number, position: number): number
  readSync(fd: number, into: Uint8Array, offset: number, length: number, position: number): number
  readFileSync(path: string): Uint8Array
  fsyncSync(fd: number): void
  fdatasyncSync(fd: number): void
  ftruncateSync(fd: number, length: number): void
  renameSync(from: string, to: string): void
  linkSync(existing: string, name: string): void
  unlinkSync(path: string): void
  mkdirSync(path: string, options: { readonly recursive?: boolean; readonly mode?: number }): unknown
  rmdirSync(path: string): void
  readdirSync(path: string): string[]
  statSync(path: string, options: { readonly throwIfNoEntry: false }): FileFacts | undefined
  write(
    fd: number,
    data: Uint8Array,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, written: number) => void,
  ): void
  fsync(fd: number, done: Done): void
  fdatasync(fd: number, done: Done): void
}
