/** A file to be imported, as it was read. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly beside: Neighbours
}

/** What lies around a file, by paths relative to its folder. Parsers read nothing by themselves. */
export interface Neighbours {
  read(path: string): string | undefined
  /** Names of the files in a folder; none when it is not there. */
  list(folder: string): readonly string[]
}

export const noNeighbours: Neighbours = { read: () => undefined, list: () => [] }
