import { listedNumbers } from '../read/session-files.ts'
import type { Verification } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import type { Layout } from '../format/layout.ts'
import { lookAtSnapshot, undisturbed } from '../read/survey.ts'
import { Report } from './report.ts'
import { nameTheRest, verifyBlobs } from './verify-folder.ts'
import { verifySnapshot } from './verify-snapshot.ts'
import { verifyLog } from './verify-log.ts'

/** Looks at everything that belongs to a session. Reads only, and claims nothing. */
export function verifyFiles(disk: Disk, layout: Layout, id: string, processes: ProcessTable): Verification {
  return undisturbed(
    () => listedNumbers(disk, layout, id),
    () => {
      const report = new Report()
      const snapshot = lookAtSnapshot(disk, layout, id)
      const log = verifyLog(disk, layout, id, snapshot, report)
      verifySnapshot(disk, layout, id, snapshot, log, report)
      verifyBlobs(disk, layout, snapshot, log, report)
      nameTheRest(disk, layout, id, processes, report)
      const { first, last, missing } = log.walk
      const intact = report.findings.every(({ severity }) => severity !== 'damage')
      return { id, intact, events: { first, last, missing }, files: report.files, findings: report.findings }
    },
  )
}
