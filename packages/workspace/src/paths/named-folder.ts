import { lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, parse, sep } from 'node:path'
import type { Folder } from './folder.ts'
import { closed, makeOne, swapped } from './one-folder.ts'

/** Remembers a folder by its identity. */
export function nameFolder(path: string): Folder {
  return new NamedFolder(path, requireFolder)
}

/** The same, and creates missing parts of the path. */
export function nameMadeFolder(path: string): Folder {
  return new NamedFolder(path, requireOrMakeFolder)
}

class NamedFolder implements Folder {
  readonly path: string
  readonly #identity: string | undefined

  constructor(path: string, step: (path: string) => void) {
    this.path = path
    let current = parse(path).root
    for (const name of path.slice(current.length).split(sep)) {
      current = join(current, name)
      step(current)
    }
    this.#identity = identityOf(path)
  }

  at(name: string): string {
    this.requireStanding()
    return join(this.path, name)
  }

  requireStanding(): void {
    if (identityOf(this.path) !== this.#identity) throw swapped(this.path)
  }

  async sync(): Promise<void> {
    if (process.platform === 'win32') return
    await using handle = await open(this.at('.'))
    await handle.sync()
  }

  [Symbol.dispose](): void {
    // Nothing to release: only the path is held.
  }
}

function requireFolder(path: string): void {
  try {
    if (!lstatSync(path).isDirectory()) throw swapped(path)
  } catch (error) {
    throw closed(error, path)
  }
}

function requireOrMakeFolder(path: string): void {
  if (identityOf(path) === undefined) makeOne(dirname(path), basename(path), path)
  requireFolder(path)
}

/** The identity of a folder; undefined when it does not exist. */
function identityOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  } catch (error) {
    throw closed(error, path)
  }
}
