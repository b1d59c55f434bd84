import { changeSecondOf, type IndexEntry, noLooks } from '../git/index-file.ts'
import type { RawPath } from './raw-path.ts'

/** File systems store whole seconds at worst; some only even ones. */
const slackSeconds = 2

/**
 * Makes git read those files again that were changed shortly before a moment, or later. Returns whether there were any.
 *
 * Git compares times by the second, and treats a file as unchanged if its times and size equal those of the index. A
 * file changed in the second in which it was read can change once more without looking different: its modification time
 * can be set back. So the stat data of such files is cleared, and they are read again.
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
