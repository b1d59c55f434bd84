import { basename } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { seqOf } from '../format/seq-of.ts'
import type { JournalContent } from '../format/journal-content.ts'
import type { Layout } from '../format/layout.ts'
import { Seeds } from '../read/seeds.ts'
import { lookAt } from '../read/look-at.ts'
import { describeOther } from '../read/recovery-findings.ts'
import { type FoundSegment, type SnapshotFile, noted, placeOf, segmentsOf } from '../read/survey.ts'
import { EventWalk } from './event-walk.ts'
import { describeStray } from '../format/segment.ts'
import { describeRange } from '../format/seq-ranges.ts'
import type { Report } from './report.ts'

/** A segment, as the snapshot names it. */
interface SealedPlace {
  readonly number: number
  readonly lastSeq: number
  readonly sum: number | undefined
}

export interface VerifiedLog {
  readonly walk: EventWalk
  readonly sealed: readonly SealedPlace[]
}

/** Goes through segments and journal, from the first event to the last. */
export function verifyLog(disk: Disk, layout: Layout, id: string, snapshot: SnapshotFile, report: Report): VerifiedLog {
  const saved = snapshot.kind === 'good' ? snapshot : undefined
  const walk = new EventWalk(report, saved?.state)
  const seeds = new Seeds(id, snapshot.kind === 'good' ? snapshot.store.chain : undefined)
  const sealed: SealedPlace[] = []
  let known = saved?.state.seq ?? 0
  let before: FoundSegment | undefined
  for (const found of segmentsOf(disk, layout, id)) {
    seeds.add(noted(found))
    missingBetween(layout, before?.number ?? 0, found.number, report)
    verifySegment(id, found, before, walk, report)
    if ('segment' in found) sealed.push({ number: found.number, lastSeq: found.segment.lastSeq, sum: found.sum })
    if (found.kind !== 'foreign') known = Math.max(known, placeOf(found)?.lastSeq ?? 0)
    before = found
  }
  missingBetween(layout, before?.number ?? 0, (saved?.store.segments ?? 0) + 1, report)
  verifyJournal(disk, layout, seeds, known, walk, report)
  return { walk, sealed }
}

function missingBetween(layout: Layout, before: number, number: number, report: Report): void {
  for (let missing = before + 1; missing < number; missing += 1) {
    report.damage(basename(layout.segment(missing)), 'missing_segment', `Segment ${missing} is not there.`)
  }
}

function verifySegment(
  id: string,
  found: FoundSegment,
  before: FoundSegment | undefined,
  walk: EventWalk,
  report: Report,
): void {
  const file = basename(found.path)
  report.file(file, 'segment', found.size, contentOf(found, id))
  tellSegment(found, id, file, report)
  const place = placeOf(found)
  const continues = before?.sum === undefined || place === undefined || place.previous === before.sum
  if (!continues && found.kind !== 'foreign' && before?.number === found.number - 1) {
    report.damage(file, 'broken_chain', `It does not continue from segment ${before.number} as that is now.`, 0)
  }
  for (const json of found.events) walk.take(seqOf(json), json, file)
}

function contentOf(found: FoundSegment, id: string): string {
  const place = placeOf(found)
  const range = place === undefined ? 'events' : describeRange({ first: place.firstSeq, last: place.lastSeq })
  switch (found.kind) {
    case 'intact':
      return range
    case 'scratched':
      return `${range}, all of them intact`
    case 'damaged':
      return `${range}, ${found.events.length} of them intact`
    case 'foreign':
      return describeStray(found.place, id, found.number)
    case 'unreadable':
      return 'cannot be opened'
    default:
      return found satisfies never
  }
}

function tellSegment(found: FoundSegment, id: string, file: string, report: Report): void {
  switch (found.kind) {
    case 'intact':
      return
    case 'scratched':
      for (const offset of found.faults) {
        report.damage(file, 'damaged_segment', 'Bytes are damaged here. No event is lost.', offset)
      }
      return
    case 'damaged':
      for (const offset of found.faults)
        report.damage(file, 'damaged_segment', 'What begins here does not check.', offset)
      return
    case 'foreign': {
      const stray = describeStray(found.place, id, found.number)
      report.damage(
        file,
        'foreign_segment',
        `This is not the segment that belongs here, but ${stray}. None of it is read.`,
        0,
      )
      return
    }
    case 'unreadable':
      report.damage(file, 'unreadable', `It cannot be opened: ${found.code}.`)
      return
    default:
      found satisfies never
  }
}

function verifyJournal(
  disk: Disk,
  layout: Layout,
  seeds: Seeds,
  sealedOrSaved: number,
  walk: EventWalk,
  report: Report,
): void {
  const file = basename(layout.journal)
  const found = lookAt(disk, layout.journal)
  switch (found.kind) {
    case 'bytes':
      verifyRecords(seeds.read(found.bytes), found.bytes.length, sealedOrSaved, file, walk, report)
      return
    case 'unreadable':
      report.file(file, 'journal', 0, 'cannot be opened')
      report.damage(file, 'unreadable', `It cannot be opened: ${found.code}.`)
      break
    case 'missing':
      report.damage(file, 'missing_journal', `It is not there. Events after ${walk.last}, if any, were in it.`)
      break
    default:
      found satisfies never
  }
  if (walk.last < sealedOrSaved) walk.miss(sealedOrSaved, file)
}

function verifyRecords(
  journal: JournalContent,
  size: number,
  sealedOrSaved: number,
  file: string,
  walk: EventWalk,
  report: Report,
): void {
  if (journal.isForeign) {
    report.file(file, 'journal', size, describeOther(journal))
    const unknown = `Events after ${Math.max(walk.last, sealedOrSaved)}, if there were any, are lost.`
    report.damage(
      file,
      'foreign_journal',
      `This is not the journal that belongs here, but ${describeOther(journal)}. None of it is read. ${unknown}`,
      0,
    )
    if (walk.last < sealedOrSaved) walk.miss(sealedOrSaved, file)
    return
  }
  const { records, offsets, faults, shownDurable, damagedBehind } = journal
  const newest = Math.max(walk.last, records.at(-1)?.seq ?? 0)
  const acknowledged = records.reduce(
    (last, { durable }) => Math.max(last, durable),
    Math.max(sealedOrSaved, shownDurable, damagedBehind > 0 ? newest + damagedBehind : 0),
  )
  // Whatever stands behind a gap and was not acknowledged is a part of a write that did not finish.
  const isTail = (seq: number) => seq > walk.last + 1 && walk.last + 1 > acknowledged
  let end = -1
  for (const [index, { seq, json }] of records.entries()) {
    if (isTail(seq)) break
    walk.take(seq, json, file, offsets[index])
    end = offsets[index] ?? end
  }
  const range = records.length === 0 ? 'no events' : describeRange({ first: records[0]?.seq ?? 0, last: walk.last })
  report.file(file, 'journal', size, range)
  for (const offset of faults) {
    if (offset > end && damagedBehind === 0 && walk.last >= acknowledged)
      report.note(file, 'torn_tail', 'A write that did not finish. It was not acknowledged.', offset)
    else report.damage(file, 'damaged_record', 'What begins here does not check.', offset)
  }
  if (walk.last < acknowledged) walk.miss(acknowledged, file)
  if (journal.truncated) report.damage(file, 'short_journal', cutOff(walk.last), size)
}

function cutOff(last: number): string {
  return last === 0
    ? 'It was cut off here, and no event is left.'
    : `It was cut off here. Events after ${last}, if there were any, are lost.`
}
