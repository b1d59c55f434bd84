import {
  LoaderError,
  parseEvent,
  type RecoveryFinding,
  type SeqRange,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import { damagedBytes, isCutOff, type JournalContent } from '../format/journal-content.ts'
import { lostEvents, type LostRange, timeOf, unknownTime } from '../format/lost-event.ts'
import { encodeRecord, type JournalRecord, type WrittenRecord } from '../format/record.ts'
import { countOf, describeLost, missingBetween } from '../format/seq-ranges.ts'
import { eventsBySeq, type FoundFiles, type Log, readLog } from './log.ts'
import { findingsOf, leavesDebris, lostFinding, missingHistory } from './recovery-findings.ts'

/** A record of the next journal, with the bytes that it takes there. */
type LiveRecord = JournalRecord & Pick<WrittenRecord, 'size'>

/** How a session goes on from what was found. */
export interface Recovery {
  /** The state that was saved, if it still fits. */
  readonly state: SessionState | null
  /** Whether that is what the snapshot on the disk says. */
  readonly hasSnapshot: boolean
  /** The events after that state. */
  readonly events: readonly StoredEvent[]
  /** Records newer than the last segment, and those that stand in for lost ones; the next journal begins with them. */
  readonly live: readonly LiveRecord[]
  /** Checksum of the last segment, which the next journal continues from. */
  readonly chain: number
  readonly segments: number
  readonly lastSealedSeq: number
  readonly lastSeq: number
  readonly findings: readonly RecoveryFinding[]
  /** Events before the saved state that cannot be read. */
  readonly missing: readonly SeqRange[]
  /** Bytes of the journal that will not be in the next one; a copy of the file is kept. */
  readonly leavesDebris: boolean
}

/**
 * Decides how to go on from what was found. Pure: it reads nothing and changes nothing.
 *
 * The events are the truth and the snapshot is a cache, with one exception: where events are damaged and the snapshot was saved
 * after them, the session goes on from the snapshot and says which history is missing. Undefined when nothing is there: a
 * first write that did not finish is nothing yet.
 */
export function recover(found: FoundFiles): Recovery | undefined {
  const log = readLog(found)
  const snapshot = found.snapshot.kind === 'good' ? found.snapshot : undefined
  const isOnlyForeign = log.journal?.isForeign === true && log.segments.length === 0 && log.lost.length === 0
  if (snapshot === undefined && isOnlyForeign) throw onlyForeign(found.id)
  if (snapshot === undefined && !hasTraceOfEvents(log)) {
    if (found.journal !== undefined && isCutOff(found.journal)) throw nothingLeft(found.id)
    return undefined
  }

  const events = eventsBySeq(log)
  const base = snapshot?.state.seq ?? 0
  const acknowledged = acknowledgedIn(log)
  const gaps = gapsIn(log, events, { base, acknowledged })
  requireRecordable(found.id, log, gaps, snapshot?.store.segments ?? 0)
  requireTraceOfDamage(found, log, base)
  const lost = gaps.flatMap((gap) => standIns(found.id, gap, events, log, snapshot?.state))
  for (const { seq, json } of lost) events.set(seq, json)
  let lastSeq = base
  while (events.has(lastSeq + 1)) lastSeq += 1
  return {
    state: snapshot?.state ?? null,
    hasSnapshot: snapshot !== undefined && found.madeAnew === undefined,
    events: range(base + 1, lastSeq).map((seq) => parseEvent(JSON.parse(events.get(seq) as string))),
    live: liveRecords(log, lost, lastSeq),
    chain: log.chain,
    segments: Math.max(snapshot?.store.segments ?? 0, log.segments.at(-1)?.number ?? 0),
    lastSealedSeq: log.lastSealedSeq,
    lastSeq,
    findings: [...findingsOf(found, log, events, { base, lastSeq }), ...gaps.map(lostFinding)],
    missing: missingHistory(log, events, { base, lastSeq }),
    leavesDebris: log.journal !== undefined && leavesDebris(log.journal, log.lastSealedSeq, lastSeq),
  }
}

export function nothingLeft(id: string): LoaderError {
  return new LoaderError(
    'session_damaged',
    `The journal of session ${id} was emptied or cut off, no event is left in it, and there is neither a saved state nor ` +
      'a segment. How many events it held is not known. Restore its files from a backup, or delete it.',
  )
}

export function onlyForeign(id: string): LoaderError {
  return new LoaderError(
    'session_damaged',
    `The journal of session ${id} is that of another session, and there is neither a saved state nor a segment. Nothing was ` +
      'changed. Put its own files back from a backup, or delete it.',
  )
}

/** Whether a journal tells of events: that it holds some, or that there were some which were durable. */
export function tellsOfEvents({ records, shownDurable, isForeign }: JournalContent): boolean {
  return records.length > 0 || shownDurable > 0 || isForeign
}

function hasTraceOfEvents({ segments, lost, journal }: Log): boolean {
  return segments.length > 0 || lost.length > 0 || (journal !== undefined && tellsOfEvents(journal))
}

/** The last event of which it shows that it was stored. */
function acknowledgedIn({ segments, lost, journal, lastSealedSeq }: Log): number {
  const { records = [], shownDurable = 0, damagedBehind = 0 } = journal ?? {}
  const newest = Math.max(lastSealedSeq, records.at(-1)?.seq ?? 0)
  const found = [...segments.map(({ lastSeq }) => lastSeq), ...lost.map(({ lastSeq }) => lastSeq ?? 0)]
  return [...found, ...records.map(({ durable }) => durable)].reduce(
    (last, seq) => Math.max(last, seq),
    Math.max(shownDurable, damagedBehind > 0 ? newest + damagedBehind : 0),
  )
}

/** Events behind the saved state that were stored and cannot be read. */
function gapsIn(
  { journal }: Log,
  events: ReadonlyMap<number, string>,
  { base, acknowledged }: { readonly base: number; readonly acknowledged: number },
): LostRange[] {
  return missingBetween(base + 1, acknowledged, (seq) => events.has(seq)).map((range) => ({
    ...range,
    bytes: journal && damagedBytes(journal, range),
  }))
}

/**
 * Lost events can be recorded as such while they are not sealed: the next journal says so where they were. Lost events of
 * sealed segments have to be covered by a saved state; so has the first event, which says what the session is; and a
 * journal of which hardly anything checks is left for people to look at.
 */
function requireRecordable(id: string, log: Log, gaps: readonly LostRange[], snapshotSegments: number): void {
  const records = log.journal?.records ?? []
  const lastNumber = Math.max(snapshotSegments, log.segments.at(-1)?.number ?? 0)
  const hidden = log.lost.find(({ number, lastSeq: shown }) => number > lastNumber && shown === undefined)
  // A journal that continues right behind the last good segment has all that a later one can have held.
  const continues = records.some(({ seq }) => seq === log.lastSealedSeq + 1)
  const sealed = log.lost.reduce((last, { lastSeq = 0 }) => Math.max(last, lastSeq), log.lastSealedSeq)
  const isSealed = gaps.some(({ first }) => first <= Math.max(1, sealed))
  const isMost = countOf(gaps) > Math.max(1, records.length)
  if (!isSealed && !isMost && (hidden === undefined || continues)) return
  const what = gaps.length === 0 ? `segment ${hidden?.number}` : describeLost(gaps)
  throw new LoaderError(
    'session_damaged',
    `Session ${id} is damaged: ${what} cannot be read, and no saved state covers that. Every byte was left as it is. ` +
      'What is intact can be read, and `loader doctor --repair` makes a copy of it that goes on.',
  )
}

/** Records for the events of a gap, which say that these are lost. */
function standIns(
  id: string,
  gap: LostRange,
  events: ReadonlyMap<number, string>,
  { journal, lastSealedSeq }: Log,
  saved: SessionState | undefined,
): LiveRecord[] {
  const around = [events.get(gap.first - 1), events.get(gap.last + 1)].find((json) => json !== undefined)
  const at = around === undefined ? (saved?.updatedAt ?? unknownTime) : timeOf(around)
  const before = journal?.records.findLast(({ seq }) => seq < gap.first)
  const epoch = before?.epoch ?? saved?.epoch ?? journal?.records[0]?.epoch ?? 1
  const durable = before?.durable ?? lastSealedSeq
  return [...lostEvents(id, gap, at)].map((json, index) => {
    const record = { epoch, seq: gap.first + index, durable, json }
    return { ...record, size: encodeRecord(record, 0, 0).line.length + 1 }
  })
}

function liveRecords({ journal, lastSealedSeq }: Log, lost: readonly LiveRecord[], lastSeq: number): LiveRecord[] {
  const records = (journal?.records ?? []).filter(({ seq }) => seq > lastSealedSeq && seq <= lastSeq)
  if (lost.length === 0) return records
  return [...records, ...lost].sort((one, other) => one.seq - other.seq)
}

/** A snapshot that is ahead of a log without a scratch does not belong to it. */
function requireTraceOfDamage(found: FoundFiles, log: Log, base: number): void {
  const newest = Math.max(0, log.segments.at(-1)?.lastSeq ?? 0, log.journal?.records.at(-1)?.seq ?? 0)
  const { journal } = log
  const isAnother = journal?.otherSession !== undefined
  const traces = journal === undefined || journal.hasDebris || journal.truncated || isAnother || log.lost.length > 0
  if (base <= newest || traces) return
  throw new LoaderError(
    'session_damaged',
    `The saved state of session ${found.id} is at event ${base}, but its events end at ${newest} without a trace of ` +
      'damage: one of them comes from elsewhere. Nothing was changed. Salvage a copy, or put the right files back.',
  )
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_unused, index) => from + index)
}
