/** What a tree has under a path or a name. */
export interface TreeEntry {
  readonly mode: string
  readonly blob: string
}
