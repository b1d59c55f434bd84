import { join } from 'node:path'
import type { Places } from '../places/places.ts'
import { textOfFile } from './text-of-file.ts'

/** What the user tells models about every project: `AGENTS.md` beside their settings. */
export function userInstructions({ config }: Pick<Places, 'config'>): readonly { path: string; text: string }[] {
  const path = join(config, 'AGENTS.md')
  const text = textOfFile(path)
  return text === undefined || text.trim() === '' ? [] : [{ path, text }]
}
