import { sessionNamedIn } from './ancestors.ts'
import type { JournalContent } from './journal-content.ts'
import { seqOf } from './seq-of.ts'

/**
 * The journal, if it is one of this session, behind these events; else it gives no event, as it is of another session or
 * of another history of this one. `sealed` are the events of the last segment that gives any, and `sealedIn` is the session
 * that the segment names.
 *
 * A checksum that a line shows is no proof of where the line belongs, so a journal of which nothing checks by a seed that
 * is known for sure needs another one: an event that was sealed, too. Without it, it may still be ours where a gap lies in
 * front of it, as after damage to its first line; and then the gap tells of it.
 */
export function asOwn(
  journal: JournalContent,
  id: string,
  sealed: readonly string[],
  sealedIn: string | undefined,
): JournalContent {
  const lastSealed = sealed.length === 0 ? 0 : seqOf(sealed.at(-1) as string)
  const told = journal.openedAs ?? writtenIn(journal, lastSealed, sealedIn)
  const other = told === undefined || told.toLowerCase() === id.toLowerCase() ? undefined : told
  if (other === undefined && !isForeign(journal, sealed, lastSealed)) return journal
  const nothing = { records: [], unbroken: 0, offsets: [], faults: [], shownDurable: 0, damagedBehind: 0 }
  return { ...journal, ...nothing, unbrokenEnd: 0, isForeign: true, otherSession: other }
}

/**
 * The session that writes right behind these events, as a journal without a fault tells it. A fork shares the segments of
 * the session that it comes from, so checksums fit the journal of either. But the first event of its own names it.
 */
function writtenIn(
  { records, hasDebris }: JournalContent,
  lastSealed: number,
  sealedIn: string | undefined,
): string | undefined {
  const first = records[0]
  if (first === undefined || hasDebris || first.seq > lastSealed + 1) return undefined
  for (const { json } of records.toReversed()) {
    const named = sessionNamedIn(json)
    if (named !== undefined) return named
  }
  return sealedIn
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
