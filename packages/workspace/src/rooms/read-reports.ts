import { readdirSync } from 'node:fs'
import { openFolder } from '../paths/folder.ts'
import { readHeld } from '../walk/read-held.ts'

const mostBytes = 64 * 1024 * 1024

/** The contents of a folder that a command could write: only regular files, up to a limit. */
export function reportsIn(path: string): ReadonlyMap<string, Uint8Array> {
  using folder = openFolder(path)
  const reports = new Map<string, Uint8Array>()
  let left = mostBytes
  for (const name of readdirSync(folder.at('.')).sort()) {
    const bytes = readHeld(folder, name, left)
    if (bytes === undefined) continue
    left -= bytes.length
    reports.set(name, bytes)
  }
  return reports
}
