import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { SessionState } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { hex } from '../format/checksum.ts'
import type { SnapshotContent } from '../format/snapshot.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed } from '../format/segment.ts'
import type { SnapshotFile } from '../read/survey.ts'
import type { Report } from './report.ts'
import type { VerifiedLog } from './verify-log.ts'

/** Whether the snapshot is whole, was saved over these segments, and says what the events say. */
export function verifySnapshot(
  disk: Disk,
  layout: Layout,
  id: string,
  snapshot: SnapshotFile,
  log: VerifiedLog,
  report: Report,
): void {
  const file = basename(layout.snapshot)
  const size = disk.sizeOf(layout.snapshot)
  switch (snapshot.kind) {
    case 'good':
      report.file(file, 'snapshot', size, `the state at event ${snapshot.state.seq}`)
      return compareSnapshot(snapshot, id, log, file, report)
    case 'stale':
      report.file(file, 'snapshot', size, 'a state of another version')
      return report.note(
        file,
        'stale_snapshot',
        'Another version wrote it. It is made anew when the session is claimed.',
      )
    case 'damaged':
      report.file(file, 'snapshot', size, 'damaged, or of another session')
      return report.damage(
        file,
        'damaged_snapshot',
        'Its checksum is wrong, or it belongs to another session. The events count, not this file.',
      )
    case 'unreadable':
      report.file(file, 'snapshot', size, 'cannot be opened')
      return report.damage(file, 'unreadable', `It cannot be opened: ${snapshot.code}.`)
    case 'missing':
      return report.note(file, 'missing_snapshot', 'It is not there. It is made anew when the session is claimed.')
    default:
      snapshot satisfies never
  }
}

function compareSnapshot(
  { state, store }: Extract<SnapshotContent, { kind: 'good' }>,
  id: string,
  { walk, sealed }: VerifiedLog,
  file: string,
  report: Report,
): void {
  const named = sealed.find(({ number }) => number === store.segments)
  const chain = store.segments === 0 ? firstSeed(id) : named?.sum
  const lastSeq = store.segments === 0 ? 0 : named?.lastSeq
  if (
    (chain !== undefined && hex(chain) !== store.chain) ||
    (lastSeq !== undefined && lastSeq !== store.lastSealedSeq)
  ) {
    report.damage(file, 'snapshot_misfit', `It was saved over another segment ${store.segments} than is there now.`)
  }
  if (walk.atSnapshot === undefined) return
  const differing = differences(state, walk.atSnapshot)
  if (differing.length === 0) return
  report.damage(
    file,
    'snapshot_differs',
    `At event ${state.seq} the events say something else about: ${differing.join(', ')}.`,
  )
}

/** The fields of a saved state that are not what the events make of them. */
function differences(saved: SessionState, folded: SessionState): string[] {
  const [one, other] = [new Map(Object.entries(asWritten(saved))), new Map(Object.entries(asWritten(folded)))]
  return [...other.keys()].filter((key) => !isDeepStrictEqual(one.get(key), other.get(key)))
}

function asWritten(state: SessionState): object {
  return JSON.parse(JSON.stringify(state))
}
