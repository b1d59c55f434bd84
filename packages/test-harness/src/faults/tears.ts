import { overwrite, type PagedBytes, resize } from './paged-bytes.ts'
import type { RecordedChange } from './recording.ts'

type Write = Extract<RecordedChange, { kind: 'write' }>

/** The part of a write that reached the disk. */
export type Tear =
  | { readonly kept: 'front'; readonly bytes: number }
  | { readonly kept: 'back'; readonly bytes: number }
  /** The file has its new size, with zeros where it grew. */
  | { readonly kept: 'size' }

/** The number of tears of a long write: at the first boundaries, the middle one and the last. */
const mostCuts = 4

/** The ways in which a write can be torn, at multiples of these sizes. */
export function tearsOf(write: Write, boundaries: readonly number[]): Tear[] {
  const length = write.data.length
  const cuts = [...new Set(boundaries.flatMap((boundary) => cutsOf(write, boundary)))]
  return [
    ...cuts.map((bytes): Tear => ({ kept: 'front', bytes })),
    ...cuts.map((bytes): Tear => ({ kept: 'back', bytes: length - bytes })),
    { kept: 'size' },
  ]
}

/** The bytes of a file after a torn write. */
export function tornBytes(bytes: PagedBytes, { position, data }: Write, tear: Tear): PagedBytes {
  switch (tear.kept) {
    case 'front':
      return overwrite(bytes, position, data.subarray(0, tear.bytes))
    case 'back':
      return overwrite(bytes, position + data.length - tear.bytes, data.subarray(data.length - tear.bytes))
    case 'size':
      return resize(bytes, Math.max(bytes.size, position + data.length))
    default:
      return tear satisfies never
  }
}

function cutsOf({ position, data }: Write, boundary: number): number[] {
  const first = (Math.floor(position / boundary) + 1) * boundary
  const count = Math.ceil((position + data.length - first) / boundary)
  const places = Array.from({ length: Math.max(0, count) }, (_, index) => first + index * boundary - position)
  if (places.length <= mostCuts) return places
  return [places[0], places[1], places[places.length >> 1], places.at(-1)] as number[]
}
