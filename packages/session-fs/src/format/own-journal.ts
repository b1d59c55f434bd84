import type { JournalContent } from './journal-content.ts'
import type { OtherSession } from './other-session.ts'
import { seqOf } from './seq-of.ts'

/**
 * The journal, if it is one of this session, behind these events; else it gives no event, as it is of another session or
 * of another history of this one. `sealed` are the events of the last segment that gives any.
 *
 * A checksum that a line shows proves whose the line behind it is, but not in which history. So a journal of which nothing
 * checks by a seed that is known for sure needs another proof: an event that was sealed, too. Without it, it may still be
 * ours where a gap lies in front of it, as after damage to its first line; and then the gap tells of it.
 */
export function asOwn(
  journal: JournalContent,
  sealed: readonly string[],
  other: OtherSession | undefined,
): JournalContent {
  const lastSealed = sealed.length === 0 ? 0 : seqOf(sealed.at(-1) as string)
  if (other === undefined && !isForeign(journal, sealed, lastSealed)) return journal
  const nothing = { records: [], unbroken: 0, offsets: [], faults: [], shownDurable: 0, damagedBehind: 0 }
  return { ...journal, ...nothing, unbrokenEnd: 0, isForeign: true, otherSession: other?.id }
}

function isForeign(journal: JournalContent, sealed: readonly string[], lastSealed: number): boolean {
  const { records, isAnchored, hasDebris } = journal
  const [first, last] = [records[0], records.at(-1)]
  if (first === undefined || last === undefined) return false
  if (isAnchored && first.seq > lastSealed) return false
  // Whatever is sealed was durable in the journal before: this is an older one.
  if (!hasDebris && last.seq < lastSealed) return true
  const known = new Map(sealed.map((json) => [seqOf(json), json]))
  const both = records.filter(({ seq }) => known.has(seq))
  if (both.some(({ seq, json }) => known.get(seq) !== json)) return true
  return !isAnchored && both.length === 0 && first.seq <= lastSealed + 1
}
