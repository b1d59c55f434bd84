// What callers see of trees. These types name nothing of Node, so that every TypeScript project can read them.

/** A folder with the files of one tree. Nothing may write into it while it is held. */
export interface FrozenCheckout extends AsyncDisposable {
  readonly folder: string
  readonly tree: string
  /** A folder with a `.git` in it that has this tree, where that was asked for. */
  readonly repository?: string
}

export interface InventoryChanges {
  /** Packages that came, went, or have another version. */
  readonly packages: readonly { readonly path: string; readonly before?: string; readonly after?: string }[]
  /** Files that differ although their package, if they have one, is of the same name and version. */
  readonly files: readonly {
    readonly path: string
    readonly change: 'added' | 'modified' | 'deleted'
    readonly package?: string
  }[]
  /** Repositories in the workspace whose commit or whose changes differ. */
  readonly nested: readonly string[]
}

export interface TreeLimits {
  /** More files than this, and there are no trees. */
  readonly mostFiles: number
  /** More bytes than this to be stored at once, and there are no trees. */
  readonly mostBytes: number
  /** A larger file is known by its hash and is in no tree. */
  readonly largestFile: number
}
