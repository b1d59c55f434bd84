import { LoaderError, stateOfHistory, type WholeHistory } from '@loader/session-core'
import { firstSeed } from '../format/segment.ts'
import { bytesOfBlob } from './blobs.ts'
import type { Content, SessionContent } from './make-session.ts'
import { pieces, seal } from './sealed-pieces.ts'

/** All that a session from another store consists of here: its events as segments, the last of them as the live log. */
export function restoredContent({ id, events, texts }: WholeHistory, segmentBytes: number): SessionContent {
  const state = stateOfHistory(id, events)
  const all = pieces(
    events.map((event) => JSON.stringify(event)),
    segmentBytes,
  )
  const { segments, chain } = seal(id, all.slice(0, -1))
  const lastSealedSeq = all.at(-2)?.lastSeq ?? 0
  return {
    id,
    state,
    segments,
    lastSealedSeq,
    chain: segments.length === 0 ? firstSeed(id) : chain,
    live: (all.at(-1)?.events ?? []).map((json, index) => ({ seq: lastSealedSeq + 1 + index, json })),
    blobs: new Map([...texts].map(([name, text]) => [name, contentOf(name, text)])),
  }
}

/** A text is found by the name of its content, so under any other name it would be lost. */
function contentOf(name: string, text: string): Content {
  const { blob, bytes } = bytesOfBlob(text)
  if (blob === name) return { bytes }
  throw new LoaderError(
    'invalid_event',
    `The long text ${JSON.stringify(name)} does not have the name of its content, ${blob}.`,
  )
}
