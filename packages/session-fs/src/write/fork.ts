import { type Fork, LoaderError, parseEvent, reduce } from '@loader/session-core'
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed } from '../format/segment.ts'
import { Seeds } from '../read/seeds.ts'
import { lookAt } from '../read/look-at.ts'
import { lookAtSnapshot, noted, segmentsOf, undisturbed } from '../read/survey.ts'
import { namedNumbers } from '../read/session-files.ts'
import { ForkPart } from './fork-part.ts'
import type { SessionContent } from './make-session.ts'

export interface ForkPoint {
  /** The last event that is copied; undefined for the last there is. */
  readonly atSeq: number | undefined
  readonly newId: string
  readonly at: string
}

/**
 * All that a fork of a session consists of: the whole segments up to the point, which are shared, the rest of the events,
 * and the one that says where they come from. Reads only, also while a writer is at work on the session.
 */
export function forkContent(
  disk: Disk,
  layout: Layout,
  id: string,
  { atSeq, newId, at }: ForkPoint,
): { readonly from: Fork['from']; readonly content: SessionContent } {
  requireSeq(id, atSeq)
  const part = undisturbed(
    () => namedNumbers(disk, layout, id),
    () => partUpTo(disk, layout, id, atSeq),
  )
  const from = { id: part.state.id, seq: part.state.seq }
  const forked = { type: 'session.forked', seq: from.seq + 1, at, id: newId, from } as const
  const last = part.sealed.at(-1)
  const content = {
    id: newId,
    state: reduce(part.state, parseEvent(forked)),
    segments: part.sealed.map(({ path }) => ({ shared: path })),
    lastSealedSeq: last?.lastSeq ?? 0,
    chain: last?.sum ?? firstSeed(newId),
    live: [...part.rest, { seq: forked.seq, json: JSON.stringify(forked) }],
    blobs: sharedBlobs(disk, layout, part.blobs),
  }
  return { from, content }
}

/** Blobs that are missing are missing in the fork as well. */
function sharedBlobs(disk: Disk, layout: Layout, blobs: ReadonlySet<string>): SessionContent['blobs'] {
  const paths = [...blobs].map((blob) => [blob, { shared: join(layout.blobs, blob) }] as const)
  return new Map(paths.filter(([, { shared }]) => disk.exists(shared)))
}

function requireSeq(id: string, atSeq: number | undefined): void {
  if (atSeq === undefined || (Number.isSafeInteger(atSeq) && atSeq >= 1)) return
  throw new LoaderError('impossible_event', `Session ${id} has no event ${atSeq} to be forked at. Seqs are 1, 2, 3, …`)
}

function partUpTo(disk: Disk, layout: Layout, id: string, atSeq: number | undefined): ForkPart {
  const snapshot = lookAtSnapshot(disk, layout, id)
  const seeds = new Seeds(id, snapshot.kind === 'good' ? snapshot.store.chain : undefined)
  const part = new ForkPart(id, snapshot, atSeq)
  for (const found of segmentsOf(disk, layout, id, 'own', namedNumbers(disk, layout, id))) {
    seeds.add(noted(found))
    part.takeSegment(found)
  }
  const journal = lookAt(disk, layout.journal)
  if (journal.kind === 'bytes') part.takeJournal(seeds.read(journal.bytes))
  part.requireWhole(layout)
  return part
}
