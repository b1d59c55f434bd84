import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Signal } from '@loader/session-core'
import { entriesOf } from '../files/entries.ts'
import { codeOf } from '../paths/system-errors.ts'
import { breather } from '../walk/breather.ts'

export interface ChangedSince {
  /** The first changed files, relative to the folder; for removed files, the folder that contained them. */
  readonly paths: readonly string[]
  /** There were more changes than are listed. */
  readonly isCut: boolean
}

const mostSeen = 50_000

/** What changed in a folder since a moment, by change times, which no program can set. Stops after some results. */
export async function changedSince(
  folder: string,
  sinceMs: number,
  { most, signal }: { readonly most: number; readonly signal: Signal | undefined },
): Promise<ChangedSince> {
  const rest = breather()
  const sinceNs = BigInt(Math.floor(sinceMs)) * 1_000_000n
  const paths: string[] = []
  let emptied: string | undefined
  let seen = 0
  const pending = ['']
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    signal?.throwIfAborted()
    const stats = statsOf(join(folder, path))
    seen += 1
    if (seen > mostSeen) return { paths, isCut: true }
    const isNewer = stats !== undefined && stats.ctimeNs >= sinceNs
    if (stats?.isDirectory() === true) {
      if (isNewer) emptied ??= path
      pending.push(...entriesOf(join(folder, path)).map(({ name }) => (path === '' ? name : `${path}/${name}`)))
    } else if (isNewer) paths.push(path)
    if (paths.length >= most) break
    await rest()
  }
  return { paths: paths.length === 0 && emptied !== undefined ? [emptied] : paths.toSorted(), isCut: false }
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
