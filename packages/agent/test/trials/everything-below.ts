import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What lies at each path, in a few letters. */
export type Found = Readonly<Record<string, string>>

/** Every file, folder, link and socket below a folder, with what it holds and who may use it. */
export function everythingBelow(folder: string, ignored: ReadonlySet<string> = new Set()): Found {
  const found: Record<string, string> = {}
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    // No program reaches what has a longer name.
    if (path.length > 3500 || ignored.has(path)) continue
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) continue
    const rights = `${(stats.mode & 0o7777).toString(8)} ${stats.uid}`
    if (stats.isSymbolicLink()) found[path] = `link to ${readlinkSync(path)}`
    else if (stats.isFile()) found[path] = `file ${rights} ${digest(path)}`
    else if (!stats.isDirectory()) found[path] = 'special'
    else {
      found[path] = `folder ${rights}`
      for (const name of readdirSync(path)) pending.push(join(path, name))
    }
  }
  return found
}

function digest(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
}

/** What differs, in a line each. */
export function differences(before: Found, after: Found): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => `${path} was ${before[path] ?? 'absent'}, is ${after[path] ?? 'absent'}`)
}
