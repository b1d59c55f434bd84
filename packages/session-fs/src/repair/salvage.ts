import {
  fold,
  LoaderError,
  type Loss,
  parseEvent,
  reduce,
  type SeqRange,
  type SessionState,
} from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import type { Layout } from '../format/layout.ts'
import { lostEvents, timeOf, unknownTime } from '../format/lost-event.ts'
import { countOf, missingBetween } from '../format/seq-ranges.ts'
import { blobNamesIn, lookAtBlob } from '../read/named-blobs.ts'
import type { Content, SessionContent } from '../write/make-session.ts'
import { pieces, seal } from '../write/sealed-pieces.ts'
import { lossesOf, type Refused } from './losses.ts'
import { type Everything, readEverything } from './read-everything.ts'

export interface SalvagePlan {
  readonly content: SessionContent
  readonly kept: number
  readonly lost: readonly Loss[]
}

/**
 * Plans a copy of all intact events of a session, from which work can go on. Reads only.
 *
 * Every event keeps its seq. Where one is lost, or cannot follow, the copy says so in its place. Where a saved state
 * reaches behind all or some of that, the copy goes on from it; else what was lost counts as unknown.
 */
export function planSalvage(
  disk: Disk,
  layout: Layout,
  id: string,
  { newId, at, segmentBytes }: { readonly newId: string; readonly at: string; readonly segmentBytes: number },
): SalvagePlan {
  const found = readEverything(disk, layout, id)
  const { jsons, state, ...gaps } = replay(found, id)
  const saved = savedBehind(found, id, gaps, jsons)
  const { segments, chain } = seal(newId, pieces(jsons, segmentBytes))
  const { blobs, lost } = keepBlobs(disk, layout, [...jsons, JSON.stringify(saved ?? state)])
  const forked = {
    type: 'session.forked',
    seq: state.seq + 1,
    at,
    id: newId,
    from: { id: saved?.id ?? state.id, seq: state.seq },
    ...(saved !== undefined && { state: saved }),
  }
  const json = JSON.stringify(forked)
  const { missing, refused } = gaps
  const savedAt = found.snapshot.kind === 'good' && saved !== undefined ? found.snapshot.state.seq : 0
  return {
    content: {
      id: newId,
      state: reduce(state, parseEvent(JSON.parse(json))),
      segments,
      lastSealedSeq: state.seq,
      chain,
      live: [{ seq: forked.seq, json }],
      blobs,
    },
    kept: jsons.length - countOf(missing) - refused.length,
    lost: [...lossesOf(found, { missing, refused, last: state.seq, savedAt }), ...lost],
  }
}

interface Replayed {
  /** Every event of the copy, as it is written. */
  readonly jsons: readonly string[]
  readonly state: SessionState
  readonly missing: readonly SeqRange[]
  readonly refused: readonly Refused[]
}

/** The events in order, with others in the places of those that are lost or cannot follow. */
function replay(found: Everything, id: string): Replayed {
  const { events, acknowledged } = found
  let last = acknowledged
  while (events.has(last + 1)) last += 1
  const missing = missingBetween(1, last, (seq) => events.has(seq))
  if (events.size === 0 && found.snapshot.kind !== 'good') throw nothingToKeep(id)
  const refused: Refused[] = []
  const jsons: string[] = []
  let state: SessionState | null = null
  let time = firstTime(found, missing)
  const take = (json: string) => {
    state = reduce(state, parseEvent(JSON.parse(json)))
    jsons.push(json)
    time = timeOf(json)
  }
  let gap = 0
  for (let seq = 1; seq <= last; seq += 1) {
    const json = events.get(seq)
    if (json === undefined) {
      const range = missing[gap] as SeqRange
      for (const each of lostEvents(id, { ...range, bytes: found.bytesOf(range) }, time)) take(each)
      seq = range.last
      gap += 1
      continue
    }
    const why = refusalOf(() => take(json))
    if (why === undefined) continue
    refused.push({ seq, why })
    for (const each of lostEvents(id, { first: seq, last: seq }, time)) take(each)
  }
  if (state === null) throw nothingToKeep(id)
  return { jsons, state, missing, refused }
}

/** When the first event was recorded, or what comes nearest to it. */
function firstTime({ events, snapshot }: Everything, missing: readonly SeqRange[]): string {
  const lost = missing[0]?.first === 1 ? missing[0].last : 0
  const json = events.get(lost + 1)
  if (json !== undefined) return timeOf(json)
  return snapshot.kind === 'good' ? snapshot.state.createdAt : unknownTime
}

function refusalOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (!LoaderError.is(error, 'impossible_event') && !LoaderError.is(error, 'invalid_event')) throw error
    return error.message
  }
}

/** The state at the end, as it follows from the saved one, where that knows more than the events do. */
function savedBehind(
  { snapshot, events }: Everything,
  id: string,
  { missing, refused }: Pick<Replayed, 'missing' | 'refused'>,
  jsons: readonly string[],
): SessionState | undefined {
  if (snapshot.kind !== 'good' || snapshot.state.id.toLowerCase() !== id.toLowerCase()) return undefined
  const saved = snapshot.state
  if (!missing.some(({ first }) => first <= saved.seq) && !refused.some(({ seq }) => seq <= saved.seq)) return undefined
  const first = events.get(1)
  // The snapshot of another session with the same id says nothing of this one.
  if (first !== undefined && timeOf(first) !== saved.createdAt) return undefined
  let state: SessionState | undefined
  refusalOf(() => {
    state = fold(
      jsons.slice(saved.seq).map((json) => parseEvent(JSON.parse(json))),
      saved,
    )
  })
  return state
}

function nothingToKeep(id: string): LoaderError {
  return new LoaderError(
    'session_damaged',
    `Nothing of session ${id} can be salvaged: no event of it can be read, and there is no saved state to go on from. ` +
      'Every byte was left as it is; restore its files from a backup.',
  )
}

function keepBlobs(
  disk: Disk,
  layout: Layout,
  jsons: readonly string[],
): { blobs: ReadonlyMap<string, Content>; lost: readonly Loss[] } {
  const blobs = new Map<string, Content>()
  const lost: Loss[] = []
  for (const blob of new Set(jsons.flatMap(blobNamesIn))) {
    const file = lookAtBlob(disk, layout, blob)
    if (file.kind === 'bytes') blobs.set(blob, { bytes: Buffer.from(file.bytes) })
    else lost.push({ what: `text ${blob}`, why: `It is ${file.kind}. Its beginning stands where it is named.` })
  }
  return { blobs, lost }
}
