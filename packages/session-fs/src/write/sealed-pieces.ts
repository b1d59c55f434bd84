import { encodeSegment, firstSeed } from '../format/segment.ts'
import type { Content } from './make-session.ts'

/** Events that follow each other, as they are written. */
export interface Piece {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly events: readonly string[]
}

/** Events in pieces of about this size. */
export function pieces(jsons: readonly string[], segmentBytes: number): Piece[] {
  const made: Piece[] = []
  for (let from = 0; from < jsons.length;) {
    let bytes = 0
    let to = from
    while (to < jsons.length && (to === from || bytes < segmentBytes)) {
      bytes += (jsons[to] as string).length
      to += 1
    }
    made.push({ firstSeq: from + 1, lastSeq: to, events: jsons.slice(from, to) })
    from = to
  }
  return made
}

export function seal(id: string, all: readonly Piece[]): { segments: readonly Content[]; chain: number } {
  let chain = firstSeed(id)
  const segments = all.map(({ firstSeq, lastSeq, events }, index) => {
    const { bytes, sum } = encodeSegment({ id, number: index + 1, firstSeq, lastSeq, previous: chain }, events)
    chain = sum
    return { bytes }
  })
  return { segments, chain }
}
