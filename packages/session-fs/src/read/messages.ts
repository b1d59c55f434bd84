import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import type { Layout } from '../format/layout.ts'
import { type FoundMessage, isMessageName, messageIn } from '../format/message-file.ts'
import { lookAt } from './look-at.ts'

/** The file of a message in an inbox, in whatever condition. */
export interface MessageFile {
  readonly name: string
  readonly bytes: number
  readonly found: FoundMessage | { readonly kind: 'unreadable'; readonly code: string }
}

/** The messages in the inbox of a session, which mostly is not there. One that is removed meanwhile is not among them. */
export function messageFiles(disk: Disk, layout: Layout): readonly MessageFile[] {
  if (!disk.exists(layout.inbox)) return []
  const names = disk.fs.readdirSync(layout.inbox).filter(isMessageName)
  return names.flatMap((name) => messageFile(disk, layout, name) ?? [])
}

export function messageFile(disk: Disk, layout: Layout, name: string): MessageFile | undefined {
  const file = lookAt(disk, join(layout.inbox, name))
  switch (file.kind) {
    case 'missing':
      return undefined
    case 'unreadable':
      return { name, bytes: 0, found: file }
    case 'bytes':
      return { name, bytes: file.bytes.length, found: messageIn(name, file.bytes) }
    default:
      return file satisfies never
  }
}
