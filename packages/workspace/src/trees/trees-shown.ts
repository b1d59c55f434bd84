import type { TreeEntry } from '../git/tree-entry.ts'
import type { ProjectFile } from '../imports/project-files.ts'
import type { ProjectTexts } from '../runners/runner.ts'
import type { RawPath } from './raw-path.ts'
import type { Settled } from './settle-files.ts'

// The parts of trees that callers see. These types name no Node types, so that every TypeScript project can use them.

/** The files of one tree, for reading. */
export interface TreeTexts extends ProjectTexts {
  /** By path, in the form shown to people. */
  readonly entries: ReadonlyMap<string, TreeEntry>
  /** Sources for an import graph. Files are read in the order of this list, many at a time. */
  readonly sources: readonly ProjectFile[]
}

export interface CheckoutOptions extends Settled {
  /** The folder for checkouts. Absent means beside the trees. */
  readonly home?: string | undefined
  /** `made`: with a git repository whose only commit is the tree. */
  readonly repository: 'made' | 'none'
}

/** A folder with the files of one tree. It must not be written to while it is held. */
export interface FrozenCheckout extends AsyncDisposable {
  readonly folder: string
  readonly tree: string
  /** A folder with a `.git` for this tree, if requested. */
  readonly repository?: string
}

/** The differences between two inventories of installed packages. */
export interface InventoryChanges {
  /** Packages that were added, removed, or have another version. */
  readonly packages: readonly { readonly path: string; readonly before?: string; readonly after?: string }[]
  /** Changed files whose package, if they have one, kept its name and version. */
  readonly files: readonly {
    readonly path: string
    readonly change: 'added' | 'modified' | 'deleted'
    readonly package?: string
    /** Set if it is or was a link. */
    readonly link?: true
  }[]
  /** Repositories in the workspace whose commit or whose changes differ. */
  readonly nested: readonly string[]
}

/** Limits above which no trees are kept. */
export interface TreeLimits {
  /** With more files than this, no trees are kept. */
  readonly mostFiles: number
  /** If more bytes than this have to be stored at once, no tree is kept. */
  readonly mostBytes: number
  /** A larger file is identified by its hash and is in no tree. */
  readonly largestFile: number
}

export interface KeptFiles {
  /** A tree of the files alone. */
  readonly files: string
  /** The text stored with them. */
  readonly beside: string
}

/**
 * The entries of the workspace that are in no tree. Paths are relative to the workspace; those of folders end with `/`.
 */
export interface LeftInPlace {
  readonly ignored: readonly RawPath[]
  /** Repositories within the workspace. */
  readonly nested: readonly RawPath[]
  readonly large: readonly RawPath[]
  readonly empty: readonly RawPath[]
}
