/** The entry of a tree under a path or a name. */
export interface TreeEntry {
  readonly mode: string
  readonly blob: string
}
