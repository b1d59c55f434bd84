import { FolderIndex, type Indexed, type IndexOptions } from './folder-index.ts'
import type { GitFolders } from './git-folders.ts'

/** The folders of installed packages that are indexed too: those without a layer, where commands write to the disk. */
export type IntoPackages = (packages: readonly string[]) => readonly string[]

/** Indexes the workspace and its git folders outside of it. */
export class PlaceIndex {
  readonly #root: string
  readonly #indexes = new Map<string, FolderIndex>()

  constructor(root: string) {
    this.#root = root
  }

  look(git: GitFolders, into: IntoPackages): Indexed {
    const inside = this.#look(this.#root, { packages: 'left out' })
    const outside = git.outside.map((path) => this.#look(path, { inGit: true, packages: 'left out' }))
    const packages = into(inside.packages).map((path) => this.#look(path, { packages: 'looked into' }))
    return together([inside, ...outside, ...packages])
  }

  #look(path: string, options: IndexOptions): Indexed {
    const index = this.#indexes.get(path) ?? new FolderIndex(path, options)
    this.#indexes.set(path, index)
    return index.look()
  }
}

function together(all: readonly Indexed[]): Indexed {
  return {
    repositories: new Set(all.flatMap(({ repositories }) => [...repositories])),
    links: new Set(all.flatMap(({ links }) => [...links])),
    pipes: all.flatMap(({ pipes }) => pipes),
    packages: all.flatMap(({ packages }) => packages),
    shut: new Map(all.flatMap(({ shut }) => [...shut])),
    unnameable: all.flatMap(({ unnameable }) => unnameable),
  }
}
