import type { TreeEntry } from '../git/tree-entry.ts'
import type { ProjectFile } from '../imports/project-files.ts'
import type { ProjectTexts } from '../runners/runner.ts'
import type { RawPath } from './raw-path.ts'
import type { Settled } from './settle-files.ts'

// What callers see of trees. These types name nothing of Node, so that every TypeScript project can read them.

/** The files of one tree, to be read. */
export interface TreeTexts extends ProjectTexts {
  /** By path as people read it. */
  readonly entries: ReadonlyMap<string, TreeEntry>
  /** For reading what imports what. Files are read in the order of this list, many at a time. */
  readonly sources: readonly ProjectFile[]
}

export interface CheckoutOptions extends Settled {
  /** Where checkouts lie. Absent means beside the trees. */
  readonly home?: string | undefined
  /** With a repository of git whose only commit is the tree. */
  readonly repository: 'made' | 'none'
}

/** A folder with the files of one tree. Nothing may write into it while it is held. */
export interface FrozenCheckout extends AsyncDisposable {
  readonly folder: string
  readonly tree: string
  /** A folder with a `.git` in it that has this tree, where that was asked for. */
  readonly repository?: string
}

/** What differs between two inventories of installed packages. */
export interface InventoryChanges {
  /** Packages that came, went, or have another version. */
  readonly packages: readonly { readonly path: string; readonly before?: string; readonly after?: string }[]
  /** Files that differ although their package, if they have one, is of the same name and version. */
  readonly files: readonly {
    readonly path: string
    readonly change: 'added' | 'modified' | 'deleted'
    readonly package?: string
    /** It is a link now, or was one. */
    readonly link?: true
  }[]
  /** Repositories in the workspace whose commit or whose changes differ. */
  readonly nested: readonly string[]
}

/** Sizes above which trees are not kept. */
export interface TreeLimits {
  /** More files than this, and there are no trees. */
  readonly mostFiles: number
  /** More bytes than this to be stored at once, and there are no trees. */
  readonly mostBytes: number
  /** A larger file is known by its hash and is in no tree. */
  readonly largestFile: number
}

export interface KeptFiles {
  /** A tree of the files alone. */
  readonly files: string
  /** What was said beside them. */
  readonly beside: string
}

/** What lies in the workspace and is in no tree. Paths are relative to the workspace; those of folders end with a slash. */
export interface LeftInPlace {
  readonly ignored: readonly RawPath[]
  /** Repositories within the workspace. */
  readonly nested: readonly RawPath[]
  readonly large: readonly RawPath[]
  readonly empty: readonly RawPath[]
}
