import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The size on disk of each session of a folder: all files with its name, including long texts. */
export function sizesOnDisk(directory: string): (id: string) => number {
  const names = namesIn(directory)
  const bySession = new Map<string, string[]>()
  for (const name of names) {
    const key = name.slice(0, name.indexOf('.'))
    const own = bySession.get(key)
    if (own === undefined) bySession.set(key, [name])
    else own.push(name)
  }
  return (id) => (bySession.get(id.toLowerCase()) ?? []).reduce((sum, name) => sum + sizeOf(join(directory, name)), 0)
}

/** The size on disk of a file, or of a folder with its content. */
export function sizeOf(path: string): number {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return 0
  // Allocated blocks count, so that holes in a file do not; if the system reports no blocks, the length is used.
  if (!facts.isDirectory()) return facts.blocks > 0 ? facts.blocks * 512 : facts.size
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}
