/** A file to be imported. It can be read in chunks and repeatedly, so it never has to fit into memory. */
export interface SourceFile {
  readonly path: string
  readonly bytes: number
  /** Each chunk is valid until the next is requested: they may share memory. */
  chunks(): Iterable<Uint8Array>
  /** A range of the file, shorter if the file has become shorter. Valid until the next is requested. */
  bytesBetween(from: number, to: number): Uint8Array
  readonly beside: Neighbours
}

/** The files around a file, by paths relative to its folder. Parsers have no other access to the disk. */
export interface Neighbours {
  /** Undefined for a path that does not exist or is not a regular file. */
  open(path: string): SourceFile | undefined
  /** The names of the files in a folder; none if it does not exist. */
  list(folder: string): readonly string[]
}

export const noNeighbours: Neighbours = { open: () => undefined, list: () => [] }

/** A file that is already in memory. */
export function sourceOfText(path: string, text: string, beside: Neighbours = noNeighbours): SourceFile {
  const bytes = Buffer.from(text)
  return {
    path,
    bytes: bytes.length,
    chunks: () => [bytes],
    bytesBetween: (from, to) => bytes.subarray(from, to),
    beside,
  }
}

/** The whole content, for formats of a single document. */
export function wholeText(file: SourceFile): string {
  const all = Buffer.alloc(file.bytes)
  let end = 0
  for (const chunk of file.chunks()) {
    all.set(chunk, end)
    end += chunk.length
  }
  return all.toString('utf8', 0, end)
}
