import { chunksOf } from '../script/chunks.ts'
import type { Chunks, ScriptedPart } from '../script/script.ts'

/** A piece of an answer on its way, and the part that it belongs to. */
export interface PartChunk {
  /** The place of the part in the answer. */
  readonly index: number
  readonly part: ScriptedPart
  readonly delta: string
  readonly place: { readonly isFirst: boolean; readonly isLast: boolean }
}

/** What arrives piece by piece, part by part: the same chunks that a ScriptedBackend gives. */
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
