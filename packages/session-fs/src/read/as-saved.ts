import type { Disk } from '../disk/disk.ts'
import { parseJournal } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed, shownSum, sumTail } from '../format/segment.ts'
import type { Recovery } from './recover.ts'
import type { FoundSnapshot } from './session-files.ts'

/**
 * How a session goes on that is as its last save left it: from the snapshot, which says all. Every byte of snapshot and journal
 * is checked; of the segment before, only that it is the one which the snapshot was saved over. Undefined where anything is
 * otherwise: then `recover` looks more closely. It would come to the same here, by way of every event.
 */
export function recoverAsSaved(disk: Disk, layout: Layout, id: string, snapshot: FoundSnapshot): Recovery | undefined {
  if (snapshot.kind !== 'good') return undefined
  const { state } = snapshot
  const { segments, lastSealedSeq, chain: written } = snapshot.store
  const chain = Number.parseInt(written, 16)
  if (!isSealed(disk, layout, id, segments, chain)) return undefined
  const bytes = disk.readIfThere(layout.journal)
  const journal = bytes && parseJournal(bytes, firstSeed(id), () => chain)
  if (journal === undefined || journal.truncated || journal.hasDebris) return undefined
  const { records: live } = journal
  if (live.length !== state.seq - lastSealedSeq || !live.every(({ seq }, index) => seq === lastSealedSeq + 1 + index))
    return undefined
  return {
    state,
    hasSnapshot: true,
    events: [],
    live,
    chain,
    segments,
    lastSealedSeq,
    lastSeq: state.seq,
    findings: [],
    missing: [],
    leavesDebris: false,
  }
}

/** Whether this is the last segment, and ends with this checksum. */
function isSealed(disk: Disk, layout: Layout, id: string, number: number, chain: number): boolean {
  if (disk.exists(layout.segment(number + 1))) return false
  if (number === 0) return chain === firstSeed(id)
  const tail = disk.readTail(layout.segment(number), sumTail)
  return tail !== undefined && shownSum(tail) === chain
}
