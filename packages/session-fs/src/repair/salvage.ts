import { LoaderError, parseEvent, reduce, type SessionState, type Loss } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import type { Layout } from '../format/layout.ts'
import { encodeSegment, firstSeed } from '../format/segment.ts'
import { blobNamesIn, lookAtBlob } from '../read/named-blobs.ts'
import type { HeadFile } from '../read/survey.ts'
import type { Content, SessionContent } from '../write/make-session.ts'
import { lostEvents } from './losses.ts'
import { readEverything, type Everything } from './read-everything.ts'

export interface SalvagePlan {
  readonly content: SessionContent
  readonly kept: number
  readonly lost: readonly Loss[]
}

interface Continuation {
  readonly state: SessionState
  /** Why the event behind it cannot follow, if it can be read. */
  readonly refusal: string | undefined
}

/**
 * A copy of what is intact of a session, in a form that goes on. Reads only.
 *
 * The state is that of the events, as far as they reach without a gap; or, where a saved state reaches further, that one
 * and what comes behind it. Whatever checks up to there is kept as history.
 */
export function planSalvage(
  disk: Disk,
  layout: Layout,
  id: string,
  { newId, at, segmentBytes }: { readonly newId: string; readonly at: string; readonly segmentBytes: number },
): SalvagePlan {
  const found = readEverything(disk, layout, id)
  const { state: from, refusal } = continuationOf(found, id)
  const seqs = [...found.events.keys()].filter((seq) => seq <= from.seq).sort((one, other) => one - other)
  const { segments, chain } = seal(newId, runsOf(seqs, found, segmentBytes))
  const kept = seqs.map((seq) => found.events.get(seq) as string)
  const { blobs, lost } = keepBlobs(disk, layout, [...kept, JSON.stringify(from)])
  const forked = {
    type: 'session.forked',
    seq: from.seq + 1,
    at,
    id: newId,
    from: { id: from.id, seq: from.seq },
  } as const
  return {
    content: {
      id: newId,
      state: reduce(from, parseEvent(forked)),
      segments,
      lastSealedSeq: seqs.at(-1) ?? 0,
      chain,
      live: [{ seq: forked.seq, json: JSON.stringify(forked) }],
      blobs,
    },
    kept: seqs.length,
    lost: [...lostEvents(found, from.seq, refusal), ...lost],
  }
}

function continuationOf(found: Everything, id: string): Continuation {
  const folded = foldFrom(found, null)
  const saved = stateOf(found.head, found, id)
  const best = saved !== null && saved.seq > (folded.state?.seq ?? 0) ? foldFrom(found, saved) : folded
  if (best.state !== null) return { state: best.state, refusal: best.refusal }
  throw new LoaderError(
    'session_damaged',
    `Nothing of session ${id} can be salvaged: there is no saved state to go on from, and its first event ` +
      `${best.refusal === undefined ? 'cannot be read' : `is none to begin with (${best.refusal})`}. Every byte was left ` +
      'as it is; restore its files from a backup. What is still readable behind the beginning is shown by reading from there.',
  )
}

function foldFrom(
  { events }: Everything,
  from: SessionState | null,
): { state: SessionState | null; refusal: string | undefined } {
  let state = from
  for (;;) {
    const json = events.get((state?.seq ?? 0) + 1)
    if (json === undefined) return { state, refusal: undefined }
    try {
      state = reduce(state, parseEvent(JSON.parse(json)))
    } catch (error) {
      if (!LoaderError.is(error, 'impossible_event') && !LoaderError.is(error, 'invalid_event')) throw error
      return { state, refusal: error.message }
    }
  }
}

/** The saved state, unless it is one of another session. */
function stateOf(head: HeadFile, { events }: Everything, id: string): SessionState | null {
  if (head.kind !== 'good' || head.state.id.toLowerCase() !== id.toLowerCase()) return null
  const first = events.get(1)
  const opened = first === undefined ? undefined : parseEvent(JSON.parse(first))
  return opened === undefined || opened.at === head.state.createdAt ? head.state : null
}

/** Events in pieces of about this size, each without a gap. */
function runsOf(seqs: readonly number[], { events }: Everything, segmentBytes: number): Run[] {
  const runs: { firstSeq: number; lastSeq: number; bytes: number; events: string[] }[] = []
  for (const seq of seqs) {
    const json = events.get(seq) as string
    const run = runs.at(-1)
    if (run !== undefined && run.lastSeq === seq - 1 && run.bytes < segmentBytes) {
      run.lastSeq = seq
      run.bytes += json.length
      run.events.push(json)
    } else runs.push({ firstSeq: seq, lastSeq: seq, bytes: json.length, events: [json] })
  }
  return runs
}

interface Run {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly events: readonly string[]
}

function seal(id: string, runs: readonly Run[]): { segments: readonly Content[]; chain: number } {
  let chain = firstSeed(id)
  const segments = runs.map(({ firstSeq, lastSeq, events }, index) => {
    const { bytes, sum } = encodeSegment({ id, number: index + 1, firstSeq, lastSeq, previous: chain }, events)
    chain = sum
    return { bytes }
  })
  return { segments, chain }
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
