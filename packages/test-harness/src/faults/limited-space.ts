import { resolve } from 'node:path'
import type { Call } from './calls.ts'
import type { FileSystemPort, OpenFlags } from './file-system-port.ts'
import { systemError } from './system-error.ts'

/** The space of a file. It is freed when the file has no name and no open descriptor. */
interface Occupant {
  size: number
  names: number
  open: number
}

interface OpenOccupant {
  readonly file: Occupant
  readonly flags: OpenFlags
  position: number
}

/**
 * The bytes that can still be written, for any file system below. Files that existed before free their space when
 * removed, and are assumed to have one name.
 */
export class LimitedSpace {
  readonly #port: FileSystemPort
  #free: number
  readonly #byPath = new Map<string, Occupant>()
  readonly #byDescriptor = new Map<number, OpenOccupant>()

  constructor(port: FileSystemPort, bytes: number) {
    this.#port = port
    this.#free = bytes
  }

  get free(): number {
    return this.#free
  }

  add(bytes: number): void {
    this.#free += bytes
  }

  /**
   * Before a call: how many bytes of it fit, or ENOSPC. Sizes are looked up now, because they are unknown afterwards.
   */
  admit(call: Call): number {
    if ('path' in call) this.#occupant(call.path)
    if ('dest' in call) this.#occupant(call.dest)
    const opened = 'fd' in call ? this.#byDescriptor.get(call.fd) : undefined
    if (!opened) return Infinity
    if (call.kind === 'ftruncate' && call.length - opened.file.size > this.#free) throw full(call)
    if (call.kind !== 'write') return Infinity
    const overwritten = Math.max(0, opened.file.size - placeOf(opened, call.position))
    const fitting = overwritten + Math.max(0, this.#free)
    if (fitting === 0 && call.length > 0) throw full(call)
    return fitting
  }

  /** After a successful call, with the descriptor or the number of bytes that it returned. */
  settle(call: Call, result: unknown): void {
    const opened = 'fd' in call ? this.#byDescriptor.get(call.fd) : undefined
    switch (call.kind) {
      case 'open':
        return this.#opened(result as number, call.path, call.flags)
      case 'close':
        this.#byDescriptor.delete(call.fd)
        return opened && this.#closed(opened.file)
      case 'write':
        return opened && this.#wrote(opened, result as number, call.position)
      case 'read':
        if (opened && call.position === null) opened.position += result as number
        return
      case 'ftruncate':
        return opened && this.#resize(opened.file, Math.max(0, call.length))
      case 'rename':
        return this.#renamed(resolve(call.path), resolve(call.dest))
      case 'link':
        return this.#linked(resolve(call.path), resolve(call.dest))
      case 'unlink':
        return this.#removed(resolve(call.path))
      case 'readFile':
      case 'fsync':
      case 'fdatasync':
      case 'mkdir':
      case 'rmdir':
      case 'readdir':
      case 'stat':
        return
      default:
        call satisfies never
    }
  }

  #opened(fd: number, path: string, flags: OpenFlags): void {
    const file = this.#occupant(path)
    if (!file) return
    file.open += 1
    this.#byDescriptor.set(fd, { file, flags, position: 0 })
    if (flags === 'w') this.#resize(file, 0)
  }

  #closed(file: Occupant): void {
    file.open -= 1
    this.#giveBack(file)
  }

  #wrote(opened: OpenOccupant, length: number, position: number | null): void {
    const end = placeOf(opened, position) + length
    if (position === null) opened.position = end
    if (length > 0 && end > opened.file.size) this.#resize(opened.file, end)
  }

  #renamed(from: string, to: string): void {
    const file = this.#byPath.get(from)
    if (file === undefined) return this.#renamedFolder(from, to)
    // Both names belong to one file: the rename has no effect.
    if (file === this.#byPath.get(to)) return
    this.#removed(to)
    this.#byPath.delete(from)
    this.#byPath.set(to, file)
  }

  #renamedFolder(from: string, to: string): void {
    for (const [path, file] of this.#byPath) {
      if (!path.startsWith(from) || !/^[\\/]/.test(path.slice(from.length))) continue
      this.#byPath.delete(path)
      this.#byPath.set(to + path.slice(from.length), file)
    }
  }

  #linked(existing: string, path: string): void {
    const file = this.#byPath.get(existing)
    if (!file) return
    file.names += 1
    this.#byPath.set(path, file)
  }

  #removed(path: string): void {
    const file = this.#byPath.get(path)
    this.#byPath.delete(path)
    if (!file) return
    file.names -= 1
    this.#giveBack(file)
  }

  #occupant(path: string): Occupant | undefined {
    const known = this.#byPath.get(resolve(path))
    if (known) return known
    const status = this.#port.statSync(path, { throwIfNoEntry: false })
    if (!status?.isFile()) return undefined
    const file = { size: status.size, names: 1, open: 0 }
    this.#byPath.set(resolve(path), file)
    return file
  }

  #giveBack(file: Occupant): void {
    if (file.names === 0 && file.open === 0) this.#resize(file, 0)
  }

  #resize(file: Occupant, size: number): void {
    this.#free -= size - file.size
    file.size = size
  }
}

function placeOf({ file, flags, position }: OpenOccupant, asked: number | null): number {
  return flags === 'a' ? file.size : (asked ?? position)
}

function full({ kind }: Call): Error {
  return systemError('ENOSPC', { syscall: kind })
}
