import {
  LoaderError,
  parseEvent,
  type RecoveryFinding,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import { examineShared } from '../format/ancestors.ts'
import { seqOf, vouchedBy } from '../format/examine-segment.ts'
import type { HeadContent } from '../format/head.ts'
import { type JournalContent, parseJournal } from '../format/journal-content.ts'
import type { WrittenRecord } from '../format/record.ts'
import { firstSeed, type Segment } from '../format/segment.ts'

/** The files of a session, as they were found. */
export interface FoundFiles {
  readonly id: string
  /** The sessions that it was forked from: it may share segments of theirs. */
  readonly ancestors: () => readonly string[]
  /** In order of their numbers, from the first that is needed on. */
  readonly segments: readonly { readonly number: number; readonly bytes: Uint8Array }[]
  readonly journal: Uint8Array | undefined
  readonly head: HeadContent | { readonly kind: 'missing' }
}

/** How a session goes on from what was found. */
export interface Recovery {
  /** The state that was saved, if it still fits. */
  readonly state: SessionState | null
  /** The events after that state. */
  readonly events: readonly StoredEvent[]
  /** Records newer than the last segment; the next journal begins with them. */
  readonly live: readonly WrittenRecord[]
  /** Checksum of the last segment, which the next journal continues from. */
  readonly chain: number
  readonly segments: number
  readonly lastSealedSeq: number
  readonly lastSeq: number
  readonly findings: readonly RecoveryFinding[]
  /** Bytes of the journal that will not be in the next one; a copy of the file is kept. */
  readonly leavesDebris: boolean
}

/** A file under the name of a segment that does not give all events that belong there. */
interface LostSegment {
  readonly number: number
  readonly kind: 'damaged' | 'foreign'
  readonly events: readonly string[]
  /** The last event that it held, as far as it tells. */
  readonly lastSeq: number | undefined
}

interface Log {
  readonly segments: readonly Segment[]
  /** Numbers of segments that lost nothing but are not as they were written. */
  readonly scratched: readonly number[]
  readonly lost: readonly LostSegment[]
  readonly journal: JournalContent | undefined
  readonly chain: number
  readonly lastSealedSeq: number
}

/**
 * Decides how to go on from what was found. Pure: it reads nothing and changes nothing.
 *
 * The events are the truth and the head is a cache, with one exception: where events are damaged and the head was saved
 * after them, the session goes on from the head and says which history is missing. Undefined when nothing is there: a
 * first write that did not finish is nothing yet.
 */
export function recover(found: FoundFiles): Recovery | undefined {
  const log = readLog(found)
  const head = found.head.kind === 'good' ? found.head : undefined
  if (head === undefined && !hasTraceOfEvents(log)) return undefined

  const events = eventsBySeq(log)
  const base = head?.state.seq ?? 0
  let lastSeq = base
  while (events.has(lastSeq + 1)) lastSeq += 1
  requireAllAcknowledged(found.id, log, { lastSeq, headSegments: head?.store.segments ?? 0 })
  requireTraceOfDamage(found, log, base)

  const records = log.journal?.records ?? []
  return {
    state: head?.state ?? null,
    events: range(base + 1, lastSeq).map((seq) => parseEvent(JSON.parse(events.get(seq) as string))),
    live: records.filter(({ seq }) => seq > log.lastSealedSeq && seq <= lastSeq),
    chain: log.chain,
    segments: Math.max(head?.store.segments ?? 0, log.segments.at(-1)?.number ?? 0),
    lastSealedSeq: log.lastSealedSeq,
    lastSeq,
    findings: findingsOf(found, log, events, { base, lastSeq }),
    leavesDebris: log.journal !== undefined && leavesDebris(log.journal, log.lastSealedSeq, lastSeq),
  }
}

/** Whether a journal tells of events: that it holds some, or that there were some which were durable. */
export function tellsOfEvents({ records, shownDurable }: JournalContent): boolean {
  return records.length > 0 || shownDurable > 0
}

function hasTraceOfEvents({ segments, lost, journal }: Log): boolean {
  return segments.length > 0 || lost.length > 0 || (journal !== undefined && tellsOfEvents(journal))
}

function readLog(found: FoundFiles): Log {
  const saved = found.head.kind === 'good' ? found.head.store : undefined
  const segments: Segment[] = []
  const scratched: number[] = []
  const lost: LostSegment[] = []
  for (const [index, { number, bytes }] of found.segments.entries()) {
    const vouches = vouchedBy(found.segments[index + 1]?.bytes, found.journal)
    const before = number === 1 ? firstSeed(found.id) : segments.find((segment) => segment.number === number - 1)?.sum
    const sum = saved?.segments === number ? Number.parseInt(saved.chain, 16) : undefined
    const examined = examineShared(bytes, { id: found.id, number, previous: before, sum, vouches }, found.ancestors)
    if (examined.kind === 'scratched') scratched.push(number)
    if (examined.kind === 'intact' || examined.kind === 'scratched') segments.push(examined.segment)
    else if (examined.kind === 'damaged') lost.push({ number, ...examined })
    else lost.push({ number, kind: 'foreign', events: [], lastSeq: undefined })
  }
  const last = segments.at(-1)
  const lastSealedSeq = Math.max(saved?.lastSealedSeq ?? 0, last?.lastSeq ?? 0)
  const chain =
    saved !== undefined && saved.lastSealedSeq >= (last?.lastSeq ?? 0)
      ? Number.parseInt(saved.chain, 16)
      : (last?.sum ?? firstSeed(found.id))
  // A crash may have come between a seal and the journal after it: then the journal continues from an earlier segment.
  const seedFor = (firstSeq: number) => {
    const before = segments.find(({ lastSeq }) => lastSeq === firstSeq - 1)
    const sealing = segments.find((segment) => segment.firstSeq === firstSeq)
    return before?.sum ?? sealing?.previous ?? chain
  }
  const journal = found.journal && parseJournal(found.journal, seedFor)
  return { segments, scratched, lost, journal, chain, lastSealedSeq }
}

function eventsBySeq({ segments, lost, journal }: Log): Map<number, string> {
  const events = new Map<number, string>()
  for (const segment of [...lost, ...segments]) {
    for (const json of segment.events) events.set(seqOf(json), json)
  }
  for (const { seq, json } of journal?.records ?? []) events.set(seq, json)
  return events
}

/** What was acknowledged and cannot be read may only be passed over if the head was saved after it. */
function requireAllAcknowledged(
  id: string,
  log: Log,
  { lastSeq, headSegments }: { readonly lastSeq: number; readonly headSegments: number },
): void {
  const { segments, lost, journal } = log
  const acknowledged = Math.max(
    0,
    journal?.shownDurable ?? 0,
    ...(journal?.records ?? []).map(({ durable }) => durable),
    ...segments.map((segment) => segment.lastSeq),
    ...lost.map((segment) => segment.lastSeq ?? 0),
  )
  const lastNumber = Math.max(headSegments, segments.at(-1)?.number ?? 0)
  const hidden = lost.find(({ number, lastSeq: shown }) => number > lastNumber && shown === undefined)
  // A journal that continues right behind the last good segment has all that a later one can have held.
  const continues = journal?.records.some(({ seq }) => seq === log.lastSealedSeq + 1) === true
  if (acknowledged <= lastSeq && (hidden === undefined || continues)) return
  throw new LoaderError(
    'session_damaged',
    `Session ${id} is damaged: event ${lastSeq + 1} cannot be read, and no saved state covers it. Every byte was left ` +
      'as it is. Read what is intact, or salvage a copy that goes on.',
  )
}

/** A head that is ahead of a log without a scratch does not belong to it. */
function requireTraceOfDamage(found: FoundFiles, log: Log, base: number): void {
  const newest = Math.max(0, log.segments.at(-1)?.lastSeq ?? 0, log.journal?.records.at(-1)?.seq ?? 0)
  const traces = log.journal === undefined || log.journal.hasDebris || log.journal.truncated || log.lost.length > 0
  if (base <= newest || traces) return
  throw new LoaderError(
    'session_damaged',
    `The saved state of session ${found.id} is at event ${base}, but its events end at ${newest} without a trace of ` +
      'damage: one of them comes from elsewhere. Nothing was changed. Salvage a copy, or put the right files back.',
  )
}

function findingsOf(
  found: FoundFiles,
  log: Log,
  events: ReadonlyMap<number, string>,
  { base, lastSeq }: { readonly base: number; readonly lastSeq: number },
): RecoveryFinding[] {
  const findings: RecoveryFinding[] = []
  const say = (what: string, message: string) => findings.push({ what, message })
  if (found.head.kind === 'missing') say('missing_head', 'There was no head; it was made anew from the events.')
  if (found.head.kind === 'damaged') {
    say('damaged_head', 'The head was damaged, or none of this session; it was made anew from the events.')
  }
  findings.push(...journalFindings(log, lastSeq))
  for (const number of log.scratched) {
    say('damaged_segment', `Segment ${number} is damaged, but all of its events are intact. It was left as it is.`)
  }
  for (const { number, kind } of log.lost) {
    const what = kind === 'foreign' ? 'does not belong where it is' : 'is damaged'
    say(`${kind}_segment`, `Segment ${number} ${what}. It was left as it is.`)
  }
  const first = Math.min(
    log.segments[0]?.firstSeq ?? lastSeq + 1,
    log.journal?.records[0]?.seq ?? lastSeq + 1,
    base + 1,
  )
  const missing = range(first, lastSeq).filter((seq) => seq <= base && !events.has(seq))
  if (missing.length > 0) {
    const from = `Events ${missing[0]} to ${missing.at(-1)}`
    say('missing_history', `${from} cannot all be read. The state after them was saved, and goes on.`)
  }
  return findings
}

function journalFindings({ journal, lastSealedSeq }: Log, lastSeq: number): RecoveryFinding[] {
  const ifAny = `Events after ${lastSeq}, if there were any, are lost.`
  if (journal === undefined) return [{ what: 'missing_journal', message: `There was no journal. ${ifAny}` }]
  const short = { what: 'short_journal', message: `The journal was cut off. ${ifAny}` }
  return [...(journal.truncated ? [short] : []), ...debrisFindings(journal, lastSealedSeq, lastSeq)]
}

function leavesDebris(journal: JournalContent, lastSealedSeq: number, lastSeq: number): boolean {
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
  if (faults.some((offset) => offset > end) || records.length - 1 > lastKept) {
    const message = `Behind event ${lastSeq} stood a write that did not finish, or was damaged. It was cut off, and a copy kept.`
    return [{ what: 'torn_tail', message }]
  }
  if (faults.length === 0) return []
  const message = `The journal is damaged before event ${records[lastKept]?.seq ?? lastSeq}. A copy was kept.`
  return [{ what: 'damaged_journal', message }]
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_unused, index) => from + index)
}
