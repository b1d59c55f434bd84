/** A file to be imported. It is read piece by piece, and as often as it is asked for: none has to fit into memory whole. */
export interface SourceFile {
  readonly path: string
  readonly bytes: number
  /** Each holds until the next one is asked for: they may share their memory. */
  chunks(): Iterable<Uint8Array>
  /** A part of it, shorter where the file is shorter by now. It holds until the next one is asked for. */
  bytesBetween(from: number, to: number): Uint8Array
  readonly beside: Neighbours
}

/** What lies around a file, by paths relative to its folder. Parsers read nothing by themselves. */
export interface Neighbours {
  /** Undefined for what is not there, and for what is no file that would be imported. */
  open(path: string): SourceFile | undefined
  /** Names of the files in a folder; none when it is not there. */
  list(folder: string): readonly string[]
}

export const noNeighbours: Neighbours = { open: () => undefined, list: () => [] }

/** A file that is in memory already. */
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

/** All of a file, for what is written as one document. */
export function wholeText(file: SourceFile): string {
  const all = Buffer.alloc(file.bytes)
  let end = 0
  for (const chunk of file.chunks()) {
    all.set(chunk, end)
    end += chunk.length
  }
  return all.toString('utf8', 0, end)
}
