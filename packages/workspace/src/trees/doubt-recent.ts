import { changeSecondOf, type IndexEntry, noLooks } from '../git/index-file.ts'
import type { RawPath } from './raw-path.ts'

/** File systems keep whole seconds at worst, or even ones. */
const slackSeconds = 2

/**
 * Makes git read those files again at its next look that were changed shortly before a moment, or later. Says whether
 * there were any.
 *
 * Git compares times of files by the second, and believes a file whose times and size are those of the index. A file that
 * was changed in the second in which it was read, or while it was, may be changed once more without looking any different:
 * its time of change can be set back. So nothing is believed of such a file, and it is read again.
 */
export function doubtRecent(entries: Map<RawPath, IndexEntry>, nowMs: number): boolean {
  const since = Math.floor(nowMs / 1000) - slackSeconds
  let found = false
  for (const [path, entry] of entries) {
    if ((changeSecondOf(entry) ?? 0) < since) continue
    entries.set(path, { ...entry, looks: noLooks(entry.mode) })
    found = true
  }
  return found
}
