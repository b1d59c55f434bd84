import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Folder } from './folder.ts'
import { closed, makeOne, swapped } from './one-folder.ts'
import { codeOf } from './system-errors.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
/** Linux O_PATH: opening a folder this way needs no right to read it, only to pass through. */
const O_PATH = 0o10000000

/** Opens a folder and holds it by its descriptor. */
export function holdFolder(path: string): Folder {
  return new HeldFolder(path, enter)
}

/** The same, and creates missing parts of the path. */
export function holdMadeFolder(path: string): Folder {
  return new HeldFolder(path, enterOrMake)
}

class HeldFolder implements Folder {
  readonly path: string
  readonly #fd: number

  constructor(path: string, step: typeof enter) {
    this.path = path
    this.#fd = openAtOnce(path) ?? openByNames(path, step)
  }

  at(name: string): string {
    return `/proc/self/fd/${this.#fd}/${name}`
  }

  requireStanding(): void {
    if (placeOf(this.#fd) === this.path) return
    using now = new HeldFolder(this.path, enter)
    if (now.#identity !== this.#identity) throw swapped(this.path)
  }

  async sync(): Promise<void> {
    // A descriptor opened with O_PATH cannot be flushed.
    await using handle = await open(this.at('.'), O_RDONLY | O_DIRECTORY)
    await handle.sync()
  }

  get #identity(): string {
    const { dev, ino } = fstatSync(this.#fd, { bigint: true })
    return `${dev}:${ino}`
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }
}

/**
 * Opens the whole path at once, and keeps the descriptor if the system reports the same path for it; a followed link
 * would show a different one. Otherwise the path is opened name by name, which finds the cause.
 */
function openAtOnce(path: string): number | undefined {
  let fd
  try {
    fd = openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
  if (placeOf(fd) === path) return fd
  closeSync(fd)
  return undefined
}

/** The current path of an open folder, as the system reports it. */
function placeOf(fd: number): string {
  return readlinkSync(`/proc/self/fd/${fd}`)
}

function openByNames(path: string, step: typeof enter): number {
  const names = path.split(sep).filter((name) => name !== '')
  let fd = openTop()
  for (const [index, name] of names.entries()) {
    const parent = fd
    try {
      fd = step(parent, name, sep + names.slice(0, index + 1).join(sep))
    } finally {
      closeSync(parent)
    }
  }
  return fd
}

function openTop(): number {
  try {
    return openSync(sep, O_PATH | O_DIRECTORY)
  } catch (error) {
    throw closed(error, sep)
  }
}

function enter(parent: number, name: string, path: string): number {
  try {
    return openSync(`/proc/self/fd/${parent}/${name}`, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    throw closed(error, path)
  }
}

function enterOrMake(parent: number, name: string, path: string): number {
  try {
    return openSync(`/proc/self/fd/${parent}/${name}`, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw closed(error, path)
  }
  makeOne(`/proc/self/fd/${parent}`, name, path)
  return enter(parent, name, path)
}
