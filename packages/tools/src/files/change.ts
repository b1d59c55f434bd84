import { basename, dirname } from 'node:path'
import { type BlobStore, excerptOf, longestInlineText, type StoredText, utf8Length } from '@loader/session-core'
import type { WrittenFile } from '@loader/session-core/coding'
import { contentHash, makeFolder, openFolder, removeFile, replaceFile } from '@loader/workspace'
import type { TextFile } from './load.ts'
import type { LocatedPlace } from './located.ts'
import { unifiedDiff } from './unified-diff.ts'

/** One file before and after the change; undefined means that the file does not exist. */
export interface PlannedChange {
  readonly place: LocatedPlace
  readonly before: TextFile | undefined
  readonly after: string | undefined
  /** Permission bits of a new file, if they are not the default. */
  readonly mode?: number
}

/** What identifies a change: enough to see whether it is still the same. */
export type ChangedContent = Pick<WrittenFile, 'path' | 'before' | 'after'>

export function changedContent({ place, before, after }: PlannedChange): ChangedContent {
  return {
    path: place.path,
    before: before === undefined ? null : contentHash(before.bytes),
    after: after === undefined ? null : contentHash(after),
  }
}

export interface DescribedChange {
  readonly intent: WrittenFile
  /** As a unified diff; empty when nothing changes. */
  readonly diff: string
}

export function describeChange(change: PlannedChange): DescribedChange {
  const { place, before, after } = change
  const { text, added, removed } = unifiedDiff(place.shown, before?.text, after)
  return {
    intent: { ...changedContent(change), lines: added + removed },
    diff: before?.text === after ? '' : text,
  }
}

export async function storedPreview(diff: string, blobs: BlobStore): Promise<StoredText> {
  if (utf8Length(diff) <= longestInlineText) return diff
  return { ...(await blobs.put(diff)), excerpt: excerptOf(diff) }
}

/** Makes the change if the file is still the one that was read. It is on the disk when this resolves. */
export async function applyChange({ place, before, after, mode }: PlannedChange): Promise<void> {
  const name = basename(place.path)
  if (before?.text === after) return
  if (after !== undefined) {
    using folder = makeFolder(dirname(place.path))
    const bytes = Buffer.from(after)
    return await replaceFile(folder, name, { bytes, mode: before?.mode ?? mode, expected: before?.version })
  }
  if (before === undefined) return
  using folder = openFolder(dirname(place.path))
  await removeFile(folder, name, before.version)
}
