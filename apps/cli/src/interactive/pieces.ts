import { widthOf } from '../screen/width.ts'
import { segmentsOf } from '../screen/segments.ts'

/** Splits a line into pieces that fit, without dropping any character. */
export function pieces(line: string, width: number): string[] {
  const room = Math.max(2, width)
  const found: string[] = []
  let piece = ''
  let used = 0
  for (const { segment } of segmentsOf(line)) {
    const cells = widthOf(segment)
    if (used + cells > room) {
      found.push(piece)
      piece = ''
      used = 0
    }
    piece += segment
    used += cells
  }
  return [...found, piece]
}
