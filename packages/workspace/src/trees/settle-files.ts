import { type BigIntStats, lchownSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { tickMs } from '../files/change-times.ts'
import { breather } from '../walk/breather.ts'

export interface Settled {
  /** Whose files they are to be. Absent means ours. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /**
   * `written`: those that were written just now have the time of this moment, all the same one. `old`: all have one of long
   * ago, so that whatever is made from a tree is newer.
   */
  readonly times: 'written' | 'old'
}

/** Some formats of archives know no time before 1980. */
const longAgo = new Date(Date.UTC(2000, 0, 1))
/** Git doubts, at each look, files that are not older than its index by whole seconds. */
const olderMs = 2000

/** Gives time and owner to the files of a checkout that git has written since a moment. */
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

/** Gives one time to all files. */
export async function retime(folder: string, time: Date): Promise<void> {
  await eachEntry(folder, (path, stats) => {
    if (!stats.isDirectory()) lutimesSync(path, time, time)
  })
}

/** Names are bytes: not each of them is text. */
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
