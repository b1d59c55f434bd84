import { join } from 'node:path'
import { sessionOfEvents, sessionOfTexts } from '../format/layout.ts'
import { namesIn } from './names-in.ts'

/**
 * The files that hold what was said in each session of a folder, events and long texts, by its id in lower case. For programs
 * that search many sessions: a session with none of the searched bytes in these files need not be read. The folder is read
 * once.
 */
export function textFiles(directory: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const name of namesIn(directory, 'search the sessions')) {
    const id = sessionOfEvents(name) ?? sessionOfTexts(name)
    if (id === undefined) continue
    const path = join(directory, name)
    const isFolder = sessionOfTexts(name) !== undefined
    const found = isFolder ? namesIn(path, 'search the sessions').map((text) => join(path, text)) : [path]
    files.set(id, [...(files.get(id) ?? []), ...found])
  }
  return files
}
