import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { SessionState } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { hex } from '../format/checksum.ts'
import type { HeadContent } from '../format/head.ts'
import type { Layout } from '../format/layout.ts'
import { firstSeed } from '../format/segment.ts'
import type { HeadFile } from '../read/survey.ts'
import type { Report } from './report.ts'
import type { VerifiedLog } from './verify-log.ts'

/** Whether the head is whole, was saved over these segments, and says what the events say. */
export function verifyHead(
  disk: Disk,
  layout: Layout,
  id: string,
  head: HeadFile,
  log: VerifiedLog,
  report: Report,
): void {
  const file = basename(layout.head)
  const size = disk.fs.statSync(layout.head, { throwIfNoEntry: false })?.size ?? 0
  switch (head.kind) {
    case 'good':
      report.file(file, 'head', size, `the state at event ${head.state.seq}`)
      return compareHead(head, id, log, file, report)
    case 'stale':
      report.file(file, 'head', size, 'a state of another version')
      return report.note(file, 'stale_head', 'Another version wrote it. It is made anew when the session is claimed.')
    case 'damaged':
      report.file(file, 'head', size, 'damaged, or none of this session')
      return report.damage(
        file,
        'damaged_head',
        'It does not check, or it is none of this session. The events are what counts.',
      )
    case 'unreadable':
      report.file(file, 'head', size, 'cannot be opened')
      return report.damage(file, 'unreadable', `It cannot be opened: ${head.code}.`)
    case 'missing':
      return report.note(file, 'missing_head', 'It is not there. It is made anew when the session is claimed.')
    default:
      head satisfies never
  }
}

function compareHead(
  { state, store }: Extract<HeadContent, { kind: 'good' }>,
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
    report.damage(file, 'head_misfit', `It was saved over another segment ${store.segments} than is there now.`)
  }
  if (walk.atHead === undefined) return
  const differing = differences(state, walk.atHead)
  if (differing.length === 0) return
  report.damage(
    file,
    'head_differs',
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
