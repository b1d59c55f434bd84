import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf } from '../files/entries.ts'
import { codeOf } from '../paths/system-errors.ts'
import { statsOf } from '../walls/entries.ts'

/** Beyond this many files, only the number is reported. */
const mostNamed = 100
const mostSeen = 20_000
const largestDigested = 4 * 1024 * 1024

export interface RewrittenIn {
  /** The folder with the files that the command wrote or that were placed there for it. */
  readonly written: string
  /** A folder with the files of the tree, as they were. */
  readonly tree: string
  /** The texts that were laid over the tree. */
  readonly over: ReadonlyMap<string, string | null>
}

/** The files of the tree that a run has changed or removed, and what the changed ones hold now. */
export function rewrittenIn(where: RewrittenIn): Rewritten {
  const rewritten = pathsIn(where)
  const digests = new Map<string, string>()
  for (const path of rewritten) {
    const stats = statsOf(join(where.written, path))
    if (stats?.isFile() !== true || stats.size > largestDigested) continue
    const bytes = bytesOf(join(where.written, path))
    if (bytes !== undefined) digests.set(path, digestOfFile(bytes))
  }
  return { rewritten, digests }
}

interface Rewritten {
  readonly rewritten: readonly string[]
  readonly digests: ReadonlyMap<string, string>
}

export function digestOfFile(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 20)
}

/**
 * The files of the tree that a run has changed or removed, sorted; new files do not count. `written` may hold all of
 * the tree or only what differs from it. If there are too many files to compare, `.` stands for the rest.
 */
function pathsIn({ written, tree, over }: RewrittenIn): readonly string[] {
  const found: string[] = []
  let seen = 0
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(join(written, folder))) {
      seen += 1
      if (found.length >= mostNamed) return found.toSorted()
      // Files that were not compared may have changed.
      if (seen > mostSeen) return [...found, '.'].toSorted()
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (path === '.git') continue
      const before = over.has(path) || statsOf(join(tree, path)) === undefined ? undefined : join(tree, path)
      if (entry.isDirectory()) {
        if (before !== undefined && !lstatSync(before).isDirectory()) found.push(path)
        pending.push(path)
      } else if (before !== undefined ? differs(join(written, path), before) : isOtherText(written, path, over)) {
        found.push(path)
      }
    }
  }
  return found.toSorted()
}

function differs(one: string, other: string): boolean {
  const [now, before] = [lstatSync(one), lstatSync(other)]
  if (now.isSymbolicLink() && before.isSymbolicLink()) return readlinkSync(one) !== readlinkSync(other)
  if (!now.isFile() || !before.isFile()) return true
  if (now.size !== before.size) return true
  const bytes = bytesOf(one)
  return bytes === undefined || !bytes.equals(readFileSync(other))
}

function isOtherText(written: string, path: string, over: RewrittenIn['over']): boolean {
  const text = over.get(path)
  return typeof text === 'string' && bytesOf(join(written, path))?.toString('utf8') !== text
}

/** Undefined for a file that the command has made unreadable. */
function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
