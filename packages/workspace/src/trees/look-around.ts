import { type Dirent, readdirSync } from 'node:fs'
import type { Signal } from '@loader/session-core'
import { codeOf } from '../paths/system-errors.ts'
import { breather } from '../walk/breather.ts'
import { rawBytes } from './raw-bytes.ts'
import { isNeverKept, type RawPath } from './raw-path.ts'

/** The entries of a workspace that git does not list. */
export interface UnlistedEntries {
  /** Folders without anything in them. */
  readonly empty: readonly RawPath[]
  /** Pipes, sockets and devices. */
  readonly special: readonly RawPath[]
  /** Folders that cannot be read. */
  readonly unreadable: readonly RawPath[]
  /** Folders that are a repository of their own. */
  readonly repositories: readonly RawPath[]
}

/** Walks all folders below the prefix, except those to skip, which end with a slash. Links are not followed. */
export async function lookAround(
  top: string,
  prefix: RawPath,
  passedOver: ReadonlySet<RawPath>,
  signal?: Signal,
  /** Called with each folder, and each ignore file, before it is read. */
  onSight: (path: RawPath) => void = () => undefined,
): Promise<UnlistedEntries> {
  const rest = breather()
  const found = {
    empty: [] as RawPath[],
    special: [] as RawPath[],
    unreadable: [] as RawPath[],
    repositories: [] as RawPath[],
  }
  const start = Buffer.from(`${top}/`)
  const pending = [prefix]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    signal?.throwIfAborted()
    onSight(path)
    const entries = entriesOf(Buffer.concat([start, rawBytes(path)]))
    if (entries === 'gone') continue
    if (entries === 'unreadable') {
      found.unreadable.push(path)
      continue
    }
    if (entries.length === 0 && path !== prefix) found.empty.push(path)
    for (const entry of entries) {
      const inside = path + entry.name
      if (entry.name === '.gitignore') onSight(inside)
      if (entry.name === '.git') {
        if (path !== prefix && path !== '') found.repositories.push(path)
      } else if (entry.isDirectory()) {
        if (!passedOver.has(`${inside}/`) && !isNeverKept(entry.name)) pending.push(`${inside}/`)
      } else if (!entry.isFile() && !entry.isSymbolicLink()) found.special.push(inside)
    }
    await rest()
  }
  return found
}

function entriesOf(folder: Buffer): readonly Dirent[] | 'gone' | 'unreadable' {
  try {
    return readdirSync(folder, { encoding: 'latin1', withFileTypes: true })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'gone'
    // These errors mean that resources ran out; they do not concern the folder.
    if (code === undefined || ['EMFILE', 'ENFILE', 'ENOMEM'].includes(code)) throw error
    return 'unreadable'
  }
}
