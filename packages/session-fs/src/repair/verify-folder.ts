import { basename, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { describeHolder, isHeld, readLock } from '../disk/lock.ts'
import type { ProcessTable } from '../disk/process-table.ts'
import { type Layout, lockNumbers, segmentNumbers } from '../format/layout.ts'
import { blobNamesIn, isBlobName, lookAtBlob } from '../read/named-blobs.ts'
import { lookAt } from '../read/look-at.ts'
import { type SnapshotFile } from '../read/survey.ts'
import { type MessageFile, messageFiles } from '../read/messages.ts'
import type { Report } from './report.ts'
import type { VerifiedLog } from './verify-log.ts'

export const unnamedBlob = 'unnamed_blob'
const unnamedMessage =
  'No event names it: a writer ended between storing it and naming it, or is about to. It is removed with the next claim after an end that was not in order.'

/** Whether the texts that are named are there, each as it was written. */
export function verifyBlobs(
  disk: Disk,
  layout: Layout,
  snapshot: SnapshotFile,
  { walk }: VerifiedLog,
  report: Report,
): void {
  const folder = basename(layout.blobs)
  const saved = snapshot.kind === 'good' ? blobNamesIn(JSON.stringify(snapshot.state)) : []
  const named = new Set([...walk.blobs.keys(), ...saved])
  for (const blob of named) {
    const { kind } = lookAtBlob(disk, layout, blob)
    const seq = walk.blobs.get(blob)
    const by = seq === undefined ? 'the snapshot' : `event ${seq}`
    if (kind !== 'bytes') report.damage(`${folder}/${blob}`, `${kind}_blob`, `The text that ${by} names is ${kind}.`)
  }
  for (const name of namesIn(disk, layout.blobs)) {
    const found = named.has(name) ? 'a text that events name' : 'not named by an event that can be read'
    report.file(`${folder}/${name}`, 'blob', sizeOf(disk, join(layout.blobs, name)), found)
    if (!named.has(name) && isBlobName(name)) report.note(`${folder}/${name}`, unnamedBlob, unnamedMessage)
  }
}

/** Locks, what was kept aside, and whatever else bears the name of the session. */
export function nameTheRest(disk: Disk, layout: Layout, id: string, processes: ProcessTable, report: Report): void {
  const own = new Set([layout.snapshot, layout.journal, layout.blobs, layout.inbox].map((path) => basename(path)))
  const messages = messageFiles(disk, layout)
  const waiting = messages.filter(({ found }) => found.kind === 'message').length
  if (waiting > 0) report.note(basename(layout.inbox), 'inbox', `${waiting} of its messages wait to be taken.`)
  for (const each of messages) tellMessage(basename(layout.inbox), each, report)
  const names = namesIn(disk, layout.directory).filter((name) => name.startsWith(`${id.toLowerCase()}.`))
  for (const name of names.filter((each) => !own.has(each) && segmentNumbers([each], id).length === 0)) {
    const path = join(layout.directory, name)
    const size = sizeOf(disk, path)
    if (lockNumbers([name], id).length > 0) tellLock(disk, path, name, processes, report)
    else if (name.endsWith('.aside')) report.file(name, 'aside', size, 'kept by a recovery; no part of the session')
    else if (name.endsWith('.tmp'))
      report.file(name, 'temporary', size, 'being written, or left by a write that was cut off')
    else {
      report.file(name, 'other', size, 'unknown')
      report.note(
        name,
        'unknown_file',
        'It bears the name of the session, but is not one of its files. It is not read.',
      )
    }
  }
}

function tellMessage(folder: string, { name, bytes, found }: MessageFile, report: Report): void {
  const file = `${folder}/${name}`
  const isDamaged = found.kind === 'damaged' || found.kind === 'unreadable'
  report.file(file, 'other', bytes, isDamaged ? 'a message that cannot be read' : 'a message that waits')
  if (found.kind === 'damaged')
    report.damage(
      file,
      'damaged_message',
      'It is not as it was written, and is not taken. Send it again, or remove it.',
    )
  if (found.kind === 'unreadable')
    report.damage(file, 'unreadable_message', `It cannot be opened (${found.code}), and is not taken.`)
  if (found.kind === 'newer')
    report.note(
      file,
      'newer_message',
      'It is of a kind that this version does not know. It stays until one takes it that does.',
    )
}

function tellLock(disk: Disk, path: string, name: string, processes: ProcessTable, report: Report): void {
  const lock = lookAt(disk, path).kind === 'bytes' ? readLock(disk, path) : 'unreadable'
  const size = sizeOf(disk, path)
  if (lock === undefined) return
  if (lock === 'unreadable') {
    report.file(name, 'lock', size, 'unreadable')
    report.note(
      name,
      'unreadable_lock',
      'It cannot be read, as after a power cut. The next claim of the session passes over it.',
    )
    return
  }
  const state = isHeld(lock, processes) ? 'held' : lock.state === 'held' ? 'left' : lock.state
  report.file(name, 'lock', size, `${state} by ${describeHolder(lock)}`)
}

function namesIn(disk: Disk, directory: string): string[] {
  return disk.exists(directory) ? disk.fs.readdirSync(directory) : []
}

function sizeOf(disk: Disk, path: string): number {
  return disk.sizeOf(path)
}
