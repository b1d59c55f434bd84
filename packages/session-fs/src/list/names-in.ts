import { readdirSync } from 'node:fs'
import { codeOf, unreadable } from '../disk/file-errors.ts'

/** The names in a folder; none where there is no folder. `what` is for the error when it cannot be read. */
export function namesIn(directory: string, what: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw unreadable(error, what, directory)
  }
}
