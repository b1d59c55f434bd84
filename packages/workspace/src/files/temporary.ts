import { readdirSync, unlinkSync } from 'node:fs'
import type { Folder } from '../paths/folder.ts'
import { codeOf } from '../paths/system-errors.ts'

let count = 0

/** A name beside the file that no other writer, living or dead, has used. */
export function temporaryName(name: string): string {
  count += 1
  const own = `${process.pid}-${process.hrtime.bigint().toString(36)}-${count}`
  // Names of more than 255 bytes are refused by most file systems.
  return `.${cut(name, 180)}.${own}.loader-tmp`
}

const pattern = /^\..*\.(\d+)-[0-9a-z]+-\d+\.loader-tmp$/s

/** Whether a file is still being written under a temporary name. Such files are not part of the workspace. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name)
}

/** Removes temporary files that killed writers of this file left behind. */
export function removeLeftovers(folder: Pick<Folder, 'at'>, name: string): void {
  const start = `.${cut(name, 180)}.`
  for (const entry of namesIn(folder)) {
    if (!entry.startsWith(start)) continue
    const pid = Number(pattern.exec(entry)?.[1] ?? process.pid)
    if (!isAlive(pid)) removeLeftover(folder.at(entry))
  }
}

/** A folder that may be written but not listed yields no names. */
function namesIn(folder: Pick<Folder, 'at'>): readonly string[] {
  try {
    return readdirSync(folder.at('.'))
  } catch (error) {
    if (codeOf(error) === 'EACCES') return []
    throw error
  }
}

/** The file may be gone by now, or belong to another user, whose files we must not remove. */
function removeLeftover(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!['ENOENT', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '')) throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

function cut(name: string, bytes: number): string {
  let short = name
  while (Buffer.byteLength(short) > bytes) short = short.slice(0, Math.max(1, short.length - 8))
  return /[\uD800-\uDBFF]$/.test(short) ? short.slice(0, -1) : short
}
