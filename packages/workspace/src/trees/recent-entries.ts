import { readFileSync } from 'node:fs'
import type { Signal } from '@loader/session-core'
import { GitFailure, sideGit, type SideRepository } from './side-repository.ts'

/** What stands in front of the path of an entry: ten numbers, the id of the blob, and flags. */
const headBytes = 62
const idStart = 40
/** File systems keep whole seconds at worst, or even ones. */
const slackSeconds = 2

/**
 * Makes git read those files again at its next look that were changed shortly before a moment, or later.
 *
 * Git compares times of files by the second, and believes a file whose times and size are those of the index. A file that
 * was changed in the second in which it was read, or while it was, may be changed once more without looking any different:
 * its time of change can be set back. So nothing is believed of such a file, and it is read again.
 */
export async function doubtRecent(side: SideRepository, index: string, nowMs: number, signal?: Signal): Promise<void> {
  const recent = recentEntries(index, nowMs)
  if (recent.length === 0) return
  const input = recent.map((line) => `${line}\0`).join('')
  await sideGit(side, { arguments: ['update-index', '-z', '--index-info'], index, input, signal })
}

/** In the form that `git update-index --index-info` reads. */
function recentEntries(index: string, nowMs: number): string[] {
  const bytes = readFileSync(index)
  const version = bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) {
    throw new GitFailure(`git has written an index of version ${version}, which is not known here`)
  }
  const since = Math.floor(nowMs / 1000) - slackSeconds
  const recent: string[] = []
  let start = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const changed = bytes.readUInt32BE(start)
    // An extended entry has two more bytes of flags.
    const head = (bytes.readUInt16BE(start + 60) & 0x4000) === 0 ? headBytes : headBytes + 2
    const end = bytes.indexOf(0, start + head)
    if (changed >= since) {
      const mode = bytes.readUInt32BE(start + 24).toString(8)
      const id = bytes.toString('hex', start + idStart, start + idStart + 20)
      recent.push(`${mode} ${id}\t${bytes.toString('latin1', start + head, end)}`)
    }
    // Entries are filled up with one to eight NULs, to a multiple of eight bytes.
    start += (Math.floor((end - start) / 8) + 1) * 8
  }
  return recent
}
