import { join } from 'node:path'
import { hasLoose, readLoose, writeLoose } from './loose-objects.ts'
import { emptyTree, type GitObject, objectId } from './object-id.ts'
import { Packs } from './packs.ts'
import { type FolderEntries, parseFolder } from './tree-object.ts'

/** How many folders are kept in memory: some tens of megabytes at most. */
const mostFolders = 20_000

/**
 * The objects of one of our repositories, read and written without starting git.
 *
 * 1. Every object that is read is checked against its id.
 * 2. Whether an object exists is never cached: other processes add and remove objects.
 */
export class ObjectStore {
  readonly #objects: string
  readonly #packs: Packs
  readonly #folders = new Map<string, FolderEntries>()

  constructor(repository: string) {
    this.#objects = join(repository, 'objects')
    this.#packs = new Packs(this.#objects)
  }

  has(id: string): boolean {
    return id === emptyTree || hasLoose(this.#objects, id) || this.#packs.has(id)
  }

  /** Undefined when the object is missing, damaged, or in a form that only git can read. */
  read(id: string): GitObject | undefined {
    if (id === emptyTree) return { type: 'tree', content: new Uint8Array() }
    const isProven = (object: GitObject | undefined) => object !== undefined && objectId(object) === id
    const loose = readLoose(this.#objects, id)
    const found = isProven(loose) ? loose : this.#packs.read(id)
    return isProven(found) ? found : undefined
  }

  /** The entries of a folder. Cached, because an id always means the same content; the object may be gone by now. */
  folder(id: string): FolderEntries | undefined {
    const known = this.#folders.get(id)
    if (known !== undefined) return known
    const object = this.read(id)
    if (object?.type !== 'tree') return undefined
    const entries = parseFolder(object.content)
    if (this.#folders.size >= mostFolders) this.#folders.clear()
    this.#folders.set(id, entries)
    return entries
  }

  /** Returns their ids. When it resolves, they are on the disk. */
  keep(objects: readonly GitObject[]): Promise<string[]> {
    return writeLoose(this.#objects, objects)
  }
}
