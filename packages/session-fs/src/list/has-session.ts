import { readdirSync } from 'node:fs'
import { codeOf, unreadable } from '../disk/file-errors.ts'
import { sessionOf } from '../format/layout.ts'

/** Whether a folder has files of a session, without a store: for programs that look through many folders. */
export function hasSession(directory: string, id: string): boolean {
  const key = id.toLowerCase()
  return namesIn(directory).some((name) => sessionOf(name) === key)
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw unreadable(error, 'look for a session', directory)
  }
}
