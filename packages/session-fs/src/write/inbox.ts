import { join } from 'node:path'
import { type Inbox, LoaderError } from '@loader/session-core'
import { parseInboxMessage } from '@loader/session-core/coding'
import type { Disk } from '../disk/disk.ts'
import { codeOf } from '../disk/file-errors.ts'
import { cannotLink } from '../disk/lock.ts'
import { writeTemporary } from '../disk/new-file.ts'
import type { Layout } from '../format/layout.ts'
import { nameOfMessage, textOfMessage } from '../format/message-file.ts'
import { messageFile, messageFiles } from '../read/messages.ts'

interface InboxParts {
  readonly requireThere: () => unknown
  /** The epoch of the newest claim. */
  readonly newestEpoch: () => number
}

let last = 0

/**
 * Messages for the holder of a session, each in a file named by its id, so that one of several that put the same message
 * makes the file. No lock is taken: those who put touch nothing that can be read, and only the holder removes.
 */
export function fileInbox(disk: Disk, layout: Layout, { requireThere, newestEpoch }: InboxParts): Inbox {
  const directory = layout.inbox
  return {
    async put(message) {
      requireThere()
      const parsed = parseInboxMessage(message)
      if (!disk.exists(directory)) {
        disk.fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
        await disk.flushDirectory(layout.directory)
      }
      last = Math.max(Date.now(), last + 1)
      const text = textOfMessage({ order: last, message: parsed })
      const name = nameOfMessage(parsed.id)
      using names = disk.openDirectory(directory)
      const temporary = await writeTemporary(disk, join(directory, name), Buffer.from(text))
      disk.fs.closeSync(temporary.fd)
      try {
        await putUnderItsName(disk, layout, { temporary: temporary.path, name })
      } finally {
        disk.removeIfThere(temporary.path)
      }
      await names.flush()
    },
    async messages() {
      const kept = messageFiles(disk, layout).flatMap(({ found }) => (found.kind === 'message' ? [found] : []))
      return kept.toSorted((one, other) => one.order - other.order).map(({ message }) => message)
    },
    async remove(messageId, epoch) {
      const path = join(directory, nameOfMessage(messageId))
      if (!disk.exists(path) || (epoch !== undefined && newestEpoch() > epoch)) return
      disk.removeIfThere(path)
      await disk.flushDirectory(directory)
    },
  }
}

/** A message that came first stays, unless it is damaged. Its name may not be durable yet. */
async function putUnderItsName(
  disk: Disk,
  layout: Layout,
  { temporary, name }: { readonly temporary: string; readonly name: string },
): Promise<void> {
  const path = join(layout.inbox, name)
  try {
    return disk.fs.linkSync(temporary, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && !cannotLink(error)) throw error
    if (!disk.exists(path)) return disk.rename(temporary, path)
  }
  const kind = messageFile(disk, layout, name)?.found.kind
  if (kind === 'damaged') return disk.rename(temporary, path)
  if (kind !== 'unreadable') return
  const message = `A message with this id is in ${path} and cannot be read. Check the permissions, or remove it, and try again.`
  throw new LoaderError('storage_refused', message)
}
