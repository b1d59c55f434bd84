import { basename, dirname } from 'node:path'
import { type BlobStore, LoaderError } from '@loader/session-core'
import type { RestoredFile, WrittenFile } from '@loader/session-core/coding'
import { makeFolder, openFolder } from '../paths/folder.ts'
import { resolvePlace } from '../paths/place.ts'
import { type FileNow, readFileNow } from './file-now.ts'
import { removeFile, replaceFile } from './replace.ts'
import { contentHash } from './text.ts'

/**
 * Takes changes back, the latest first; they are given in the order in which they were made, and answered for in the
 * order in which they are taken back. A change is taken back only where the file is still as that very change left it,
 * and only inside the workspace: what lies outside needs a permit each time, and this is none.
 */
export async function restoreFiles(
  root: string,
  files: readonly WrittenFile[],
  blobs: Pick<BlobStore, 'get'>,
): Promise<readonly RestoredFile[]> {
  const restored: RestoredFile[] = []
  for (const file of files.toReversed()) {
    const reason = await whyKept(root, file, blobs)
    restored.push({
      path: file.path,
      ...(reason === undefined ? { outcome: 'restored' } : { outcome: 'kept', reason }),
    })
  }
  return restored
}

/** Takes one change back, or says why not. */
async function whyKept(root: string, file: WrittenFile, blobs: Pick<BlobStore, 'get'>): Promise<string | undefined> {
  if (file.before === file.after) return 'The call changed nothing.'
  const place = resolvePlace(root, file.path)
  if (place.kind === 'refused') return place.why
  if (place.path !== file.path) return `A symbolic link leads to ${place.path} now.`
  if (!place.inside) return 'It lies outside the workspace.'
  if (place.guarded) return 'It lies in a folder of git, where nothing is changed without a permit.'
  const look = place.entry === 'folder' ? undefined : await readFileNow(file.path)
  if (look === undefined) return 'A folder is there now.'
  if (look.kind === 'unreadable') return `It cannot be read: ${look.why}.`
  const now = look.kind === 'file' ? look.file : undefined
  const found = now === undefined ? null : contentHash(now.bytes)
  if (found === file.before) return 'It is as it was before already.'
  if (found !== file.after) return found === null ? 'It was removed since.' : 'It was changed since.'
  try {
    return file.before === null ? await remove(file, now) : await putBack(file, now, blobs)
  } catch (error) {
    if (LoaderError.is(error)) return error.message
    throw error
  }
}

async function remove({ path }: WrittenFile, now: FileNow | undefined): Promise<undefined> {
  if (now === undefined) return
  using folder = openFolder(dirname(path))
  await removeFile(folder, basename(path), now.version)
}

async function putBack(
  { path, before, preimage, mode }: WrittenFile,
  now: FileNow | undefined,
  blobs: Pick<BlobStore, 'get'>,
): Promise<string | undefined> {
  if (preimage === undefined) return 'What it held before was not kept.'
  const bytes = Buffer.from(typeof preimage === 'string' ? preimage : await blobs.get(preimage.blob))
  if (contentHash(bytes) !== before) return 'What was kept of it is not what it held before.'
  using folder = makeFolder(dirname(path))
  await replaceFile(folder, basename(path), { bytes, mode: mode ?? now?.mode, expected: now?.version })
  return undefined
}
