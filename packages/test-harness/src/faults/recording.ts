import type { DiskImage, Inode } from './disk-image.ts'

/** One change that a crash can lose on its own. */
export type Change =
  | { readonly kind: 'write'; readonly inode: Inode; readonly position: number; readonly data: Uint8Array }
  | { readonly kind: 'truncate'; readonly inode: Inode; readonly size: number }
  | {
      readonly kind: 'entries'
      /** The folder whose entries change. */
      readonly inode: Inode
      readonly entries: readonly (readonly [name: string, inode: Inode | null])[]
      /** The change without which this one cannot be there: a move never loses the file. */
      readonly after?: Change
    }

/** One call that changed something, or made changes durable. */
export interface RecordedCall {
  /** Such as `write journal.jsonl 0+512`. */
  readonly label: string
  readonly changes: readonly Change[]
  /** What it flushes: everything on this inode that was complete when the call began. */
  readonly flushes: Inode | null
}

export type RecordedEvent<Mark> =
  /** A synchronous call: begun and complete in one. */
  | { readonly type: 'done'; readonly call: RecordedCall }
  | { readonly type: 'begun'; readonly call: RecordedCall }
  | { readonly type: 'completed'; readonly call: RecordedCall }
  /** A flush failed and the system dropped what it should have written: no later flush makes up for it. */
  | { readonly type: 'lost'; readonly inode: Inode }
  | { readonly type: 'mark'; readonly mark: Mark }

/** Everything that happened to a disk, from an image on. */
export interface FileSystemRecording<Mark> {
  readonly start: DiskImage
  readonly events: readonly RecordedEvent<Mark>[]
}
