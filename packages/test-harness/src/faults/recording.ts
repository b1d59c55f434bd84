import type { DiskImage, Inode } from './disk-image.ts'

/** One change that a crash can lose on its own. */
export type RecordedChange =
  | { readonly kind: 'write'; readonly inode: Inode; readonly position: number; readonly data: Uint8Array }
  | { readonly kind: 'truncate'; readonly inode: Inode; readonly size: number }
  | {
      readonly kind: 'entries'
      /** The folder whose entries change. */
      readonly inode: Inode
      readonly entries: readonly (readonly [name: string, inode: Inode | null])[]
      /** The change that must be there before this one: a move never loses the file. */
      readonly after?: RecordedChange
    }

/** One call that changed the disk, or made changes durable. */
export interface RecordedCall {
  /** Such as `write journal.jsonl 0+512`. */
  readonly label: string
  readonly changes: readonly RecordedChange[]
  /** The inode it flushes: all changes to it that were complete when the call began. */
  readonly flushes: Inode | null
}

export type RecordedEvent<Mark> =
  /** A synchronous call: begins and completes at once. */
  | { readonly type: 'done'; readonly call: RecordedCall }
  | { readonly type: 'begun'; readonly call: RecordedCall }
  | { readonly type: 'completed'; readonly call: RecordedCall }
  /** A flush failed and the system dropped the data: no later flush writes it. */
  | { readonly type: 'lost'; readonly inode: Inode }
  | { readonly type: 'mark'; readonly mark: Mark }

/** Every event on a disk since an image. */
export interface FileSystemRecording<Mark> {
  readonly start: DiskImage
  readonly events: readonly RecordedEvent<Mark>[]
}
