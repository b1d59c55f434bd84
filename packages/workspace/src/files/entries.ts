import { type Dirent, readdirSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'

/** What lies in a folder. One that is gone, or cannot be read, has nothing to show. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}
