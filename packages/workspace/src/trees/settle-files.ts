import { type BigIntStats, lchownSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { tickMs } from '../files/change-times.ts'
import { breather } from '../walk/breather.ts'

export interface Settled {
  /** The owner of the files. Absent means us. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /**
   * `written`: files written just now all get the time of this moment. `old`: all files get an old time, so that every
   * output built from the tree is newer.
   */
  readonly times: 'written' | 'old'
}

/** Not earlier, because some archive formats have no time before 1980. */
const longAgo = new Date(Date.UTC(2000, 0, 1))
/** Git reads files again that are not whole seconds older than its index. */
const olderMs = 2000

/** Sets time and owner of the files that git has written in a checkout since a moment. */
export async function settleFiles(folder: string, sinceMs: number, { owner, times }: Settled): Promise<void> {
  const time = times === 'old' ? longAgo : new Date(sinceMs - olderMs)
  const isNew = ({ mtimeMs }: BigIntStats) =>
    times === 'old' ? mtimeMs !== BigInt(longAgo.getTime()) : mtimeMs > BigInt(sinceMs - tickMs)
  await eachEntry(folder, (path, stats) => {
    if (!stats.isDirectory() && isNew(stats)) lutimesSync(path, time, time)
    if (owner !== undefined && (stats.uid !== BigInt(owner.uid) || stats.gid !== BigInt(owner.gid)))
      lchownSync(path, owner.uid, owner.gid)
  })
}

/** Sets the same time on all files. */
export async function retime(folder: string, time: Date): Promise<void> {
  await eachEntry(folder, (path, stats) => {
    if (!stats.isDirectory()) lutimesSync(path, time, time)
  })
}

/** Names are bytes, because not every name is valid UTF-8. */
async function eachEntry(folder: string, visit: (path: Buffer, stats: BigIntStats) => void): Promise<void> {
  const rest = breather()
  const pending = [Buffer.from(folder)]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    visit(path, lstatSync(path, { bigint: true }))
    for (const entry of readdirSync(path, { withFileTypes: true, encoding: 'buffer' })) {
      const inside = Buffer.concat([path, Buffer.from('/'), entry.name])
      if (entry.isDirectory()) pending.push(inside)
      else visit(inside, lstatSync(inside, { bigint: true }))
    }
    await rest()
  }
}
