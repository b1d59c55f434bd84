import type { RecoveryFinding, SeqRange } from '@loader/session-core'
import type { JournalContent } from '../format/journal-content.ts'
import type { LostRange } from '../format/lost-event.ts'
import { describeStray } from '../format/segment.ts'
import { capitalized, describeLost, missingBetween } from '../format/seq-ranges.ts'
import type { FoundFiles, Log } from './log.ts'

interface Extent {
  /** The event of the saved state. */
  readonly base: number
  readonly lastSeq: number
}

export function findingsOf(
  found: FoundFiles,
  log: Log,
  events: ReadonlyMap<number, string>,
  { base, lastSeq }: Extent,
): RecoveryFinding[] {
  const findings: RecoveryFinding[] = []
  const say = (what: string, message: string) => findings.push({ what, message })
  const snapshot = found.madeAnew ?? found.snapshot.kind
  if (snapshot === 'missing') say('missing_snapshot', 'There was no snapshot; it was made anew from the events.')
  if (snapshot === 'damaged') {
    say('damaged_snapshot', 'The snapshot was damaged, or of another session; it was made anew from the events.')
  }
  findings.push(...journalFindings(log, { base, lastSeq }))
  for (const number of log.scratched) {
    say('damaged_segment', `Segment ${number} is damaged, but all of its events are intact. It was left as it is.`)
  }
  for (const { number, kind, place } of log.lost) {
    const stray = describeStray(place, found.id, number)
    const what = kind === 'foreign' ? `does not belong where it is: it is ${stray}` : 'is damaged'
    say(`${kind}_segment`, `Segment ${number} ${what}. It was left as it is.`)
  }
  const missing = missingHistory(log, events, { base, lastSeq })
  if (missing.length > 0) {
    const what = capitalized(describeLost(missing))
    say('missing_history', `${what} cannot be read. The state after that was saved, and goes on.`)
  }
  return findings
}

/** Events that cannot be read and that the saved state covers. */
export function missingHistory(
  { segments, journal }: Log,
  events: ReadonlyMap<number, string>,
  { base, lastSeq }: Extent,
): SeqRange[] {
  const first = Math.min(segments[0]?.firstSeq ?? lastSeq + 1, journal?.records[0]?.seq ?? lastSeq + 1, base + 1)
  return missingBetween(first, Math.min(base, lastSeq), (seq) => events.has(seq))
}

function journalFindings({ journal, lastSealedSeq }: Log, { base, lastSeq }: Extent): RecoveryFinding[] {
  const newest = Math.max(lastSealedSeq, journal?.records.at(-1)?.seq ?? 0)
  // What the saved state covers is known to have been there.
  const known = base > newest ? `${capitalized(describeLost([{ first: newest + 1, last: base }]))} were in it. ` : ''
  const ifAny = `${known}Events after ${lastSeq}, if there were any, are lost without a trace.`
  if (journal === undefined) return [{ what: 'missing_journal', message: `There was no journal. ${ifAny}` }]
  if (journal.isForeign) {
    const message = `The journal was ${describeOther(journal)}. Nothing was taken from it, and it was kept. ${ifAny}`
    return [{ what: 'foreign_journal', message }]
  }
  const short = { what: 'short_journal', message: `The journal was cut off. ${ifAny}` }
  return [...(journal.truncated ? [short] : []), ...debrisFindings(journal, lastSealedSeq, lastSeq)]
}

/** What a journal is that is none of the session under whose name it lies. */
export function describeOther({ otherSession }: JournalContent): string {
  if (otherSession !== undefined) return `that of another session: of ${otherSession}`
  return 'that of another session, or of another history of this one'
}

export function leavesDebris(journal: JournalContent, lastSealedSeq: number, lastSeq: number): boolean {
  if (journal.isForeign) return true
  return liveFaults(journal, lastSealedSeq).length > 0 || journal.records.some(({ seq }) => seq > lastSeq)
}

/** Damage that matters: what was sealed is dead, and so is what stands between its records. */
function liveFaults({ records, offsets, faults }: JournalContent, lastSealedSeq: number): readonly number[] {
  const lastDead = records.findLastIndex(({ seq }) => seq <= lastSealedSeq)
  const firstLive = records[lastDead + 1]?.seq === lastSealedSeq + 1 ? lastDead + 1 : lastDead
  return faults.filter((offset) => offset > (offsets[firstLive] ?? -1))
}

/** What stands in the journal beside its records. */
function debrisFindings(journal: JournalContent, lastSealedSeq: number, lastSeq: number): RecoveryFinding[] {
  const { records, offsets } = journal
  const faults = liveFaults(journal, lastSealedSeq)
  const lastKept = records.findLastIndex(({ seq }) => seq <= lastSeq)
  const end = offsets[lastKept] ?? -1
  const isTail = faults.some((offset) => offset > end) || records.length - 1 > lastKept
  if (isTail && journal.damagedBehind === 0) {
    const message = `Behind event ${lastSeq} stood a write that did not finish. It was cut off, and a copy kept.`
    return [{ what: 'torn_tail', message }]
  }
  if (faults.length === 0) return []
  const where = isTail
    ? `behind event ${records.at(-1)?.seq ?? lastSealedSeq}`
    : `before event ${records[lastKept]?.seq ?? lastSeq}`
  const message = `The journal is damaged ${where}. A copy was kept.`
  return [{ what: 'damaged_journal', message }]
}

export function lostFinding(gap: LostRange): RecoveryFinding {
  const message = `${capitalized(describeLost([gap]))} cannot be read. What happened there counts as unknown, and the session says so.`
  return { what: 'lost_events', message }
}
