import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'

const chunkBytes = 1024 * 1024
const idPattern = /(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g

/**
 * Every text in the files of these folders that can be the id of a tree, a rest or an inventory. The remaining sessions
 * name every id that must be kept, in some event; keeping one id too many does no harm.
 */
export function treesNamedIn(folders: readonly string[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const folder of folders) for (const path of filesBelow(folder)) addIds(path, ids)
  return ids
}

function addIds(path: string, ids: Set<string>): void {
  const fd = opened(path)
  if (fd === undefined) return
  try {
    const chunk = Buffer.alloc(chunkBytes)
    // An id can span two chunks, so the end of a chunk is searched again with the next one.
    let rest = ''
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      const text = rest + chunk.toString('latin1', 0, read)
      for (const [id] of text.matchAll(idPattern)) ids.add(id)
      rest = text.slice(-41)
    }
  } finally {
    closeSync(fd)
  }
}

/** Undefined for a file that was removed since it was listed. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
