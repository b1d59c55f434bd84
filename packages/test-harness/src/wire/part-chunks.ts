import { chunksOf } from '../script/chunks.ts'
import type { Chunks, ScriptedPart } from '../script/script.ts'

/** A chunk of an answer, and the part that it belongs to. */
export interface PartChunk {
  /** The index of the part in the answer. */
  readonly index: number
  readonly part: ScriptedPart
  readonly delta: string
  readonly place: { readonly isFirst: boolean; readonly isLast: boolean }
}

/** The chunks of an answer, part by part: the same as those of a ScriptedBackend. */
export function partChunks(parts: readonly ScriptedPart[], chunks: Chunks | undefined): PartChunk[] {
  return parts.flatMap((part, index) => {
    const deltas = chunksOf([part], chunks).flatMap((chunk) => ('delta' in chunk ? [chunk.delta] : []))
    return deltas.map((delta, at) => ({
      index,
      part,
      delta,
      place: { isFirst: at === 0, isLast: at === deltas.length - 1 },
    }))
  })
}
