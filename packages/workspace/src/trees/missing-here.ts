import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { LeftOut } from '@loader/session-core/coding'

/** Of a repository git leaves an empty folder, which is not what was there. What git had begun is no path. */
function isHere(root: string, kind: string, name: string): boolean {
  if (kind === 'unfinished') return false
  const path = kind === 'nested' ? join(root, name, '.git') : join(root, name)
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * What was left out where files come from, or on the way there, and is not here either. Of long lists only the names that
 * are known are looked for; the others count as missing.
 */
export function missingHere(root: string, leftOut: readonly LeftOut[]): LeftOut[] {
  const kinds = [...new Set(leftOut.map(({ kind }) => kind))]
  return kinds.flatMap((kind) => {
    // Empty folders are made again.
    if (kind === 'empty') return []
    const lists = leftOut.filter((each) => each.kind === kind)
    const names = [...new Set(lists.flatMap((each) => each.names))]
    const unnamed = lists.reduce((sum, each) => sum + each.count - each.names.length, 0)
    const missing = names.filter((name) => !isHere(root, kind, name))
    const count = missing.length + unnamed
    return count === 0 ? [] : [{ kind, count, names: missing }]
  })
}
