import { posix } from 'node:path'

/** One file of a project, wherever the project is stored: in a folder, in a git tree, in memory. */
export interface ProjectFile {
  /** From the root of the project, with `/`. */
  readonly path: string
  readonly read: () => string | Uint8Array | Promise<string | Uint8Array>
  /** Names the content, as the id of a git blob does. A file whose id is in the cache is not read. */
  readonly id?: string
  /** In bytes. Lets a file that is too large be skipped without reading it. */
  readonly size?: number
  /** The target of a symbolic link, as written. A link is followed, never read as a file. */
  readonly link?: string
}

const mostLinks = 40

/** The files and folders of a project, with links resolved. A path that leaves the project is not part of it. */
export class ProjectFiles {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>([''])
  readonly #links = new Map<string, string>()
  readonly #names = new Set<string>()

  constructor(files: Iterable<ProjectFile>) {
    for (const { path, link } of files) {
      for (const name of path.split('/')) this.#names.add(name)
      if (link === undefined) this.#files.add(path)
      else this.#links.set(path, link)
      for (let folder = folderOf(path); !this.#folders.has(folder); folder = folderOf(folder)) this.#folders.add(folder)
    }
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#files.values()
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** Whether any entry of the project has this name. If not, no path that ends with it exists. */
  hasName(name: string): boolean {
    return this.#names.has(name)
  }

  /** The real path of a file, or undefined. */
  file(path: string): string | undefined {
    const real = this.#real(path)
    return real !== undefined && this.#files.has(real) ? real : undefined
  }

  /** The real path of a folder, or undefined. */
  folder(path: string): string | undefined {
    const real = this.#real(path)
    return real !== undefined && this.#folders.has(real) ? real : undefined
  }

  /** Follows links in any part of the path; undefined if they form a loop or leave the project. */
  #real(path: string): string | undefined {
    let real = joined('', path)
    for (let followed = 0; real !== undefined && this.#links.size > 0; followed += 1) {
      const link = ancestors(real)
        .toReversed()
        .find((it) => this.#links.has(it))
      if (link === undefined) return real
      if (followed === mostLinks) return undefined
      const target = this.#links.get(link) ?? ''
      const place = target.startsWith('/') ? undefined : joined(folderOf(link), target)
      real = place === undefined ? undefined : joined(place, real.slice(link.length + 1))
    }
    return real
  }
}

/** The folder of a path; `''` is the root, which is its own folder. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The path itself and every folder above it, the root last. */
export function ancestors(path: string): readonly string[] {
  const all = [path]
  for (let folder = path; folder !== '';) {
    folder = folderOf(folder)
    all.push(folder)
  }
  return all
}

/** `path` as seen from `folder`, or undefined if it leaves the project. */
export function joined(folder: string, path: string): string | undefined {
  const place = posix.normalize(`./${folder}/${path}`).replace(/\/$/, '')
  if (place === '..' || place.startsWith('../')) return undefined
  return place === '.' ? '' : place
}
