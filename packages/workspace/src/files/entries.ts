import { type Dirent, readdirSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'

/** The entries of a folder; none when it is gone or cannot be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}
