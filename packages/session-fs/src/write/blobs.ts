import { createHash } from 'node:crypto'
import { type BlobStore, LoaderError } from '@loader/session-core'
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { codeOf, isRefusal, refusal, uncertain } from '../disk/file-errors.ts'
import type { Lock } from '../disk/lock.ts'
import { replaceFile } from '../disk/new-file.ts'
import type { Layout } from '../format/layout.ts'

/**
 * A long text as it is kept, and its name. A text that UTF-8 cannot hold (half a surrogate pair) is kept as a JSON string,
 * so that it comes back identical.
 */
export function bytesOfBlob(text: string): { readonly blob: string; readonly bytes: Buffer } {
  const whole = !/\p{Surrogate}/u.test(text)
  const bytes = Buffer.from(whole ? text : JSON.stringify(text))
  return { blob: `${createHash('sha256').update(bytes).digest('hex')}.${whole ? 'txt' : 'json'}`, bytes }
}

/** Long texts of a session, each in a file named by its content. */
export function fileBlobs(disk: Disk, layout: Layout, id: string, lock: Lock): BlobStore {
  const directory = layout.blobs
  return {
    async put(text) {
      const { blob, bytes } = bytesOfBlob(text)
      const path = join(directory, blob)
      try {
        lock.requireOwnership()
        if (!disk.exists(directory)) {
          disk.fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
          await disk.flushDirectory(layout.directory)
        }
        // The same content twice is one blob; writing it again would only cost.
        if (!holds(disk, path, bytes))
          await replaceFile(disk, { path, directory, bytes, stillOurs: () => lock.requireOwnership() })
      } catch (error) {
        lock.noteFailure()
        const what = `keep a long text of session ${id}`
        throw isRefusal(error) ? refusal(error, what, path) : uncertain(error, what, path)
      }
      return { blob, bytes: Buffer.byteLength(text) }
    },
    get: async (blob) => readBlob(disk, layout, id, blob),
  }
}

const name = /^[0-9a-f]{64}\.(txt|json)$/

export function readBlob(disk: Disk, layout: Layout, id: string, blob: string): string {
  const bytes = name.test(blob) ? disk.readIfThere(join(layout.blobs, blob)) : undefined
  if (bytes === undefined) throw missing(id, blob, 'is not there')
  if (createHash('sha256').update(bytes).digest('hex') !== blob.slice(0, 64)) throw missing(id, blob, 'is damaged')
  const text = Buffer.from(bytes).toString('utf8')
  return blob.endsWith('.json') ? String(JSON.parse(text)) : text
}

function holds(disk: Disk, path: string, bytes: Buffer): boolean {
  try {
    return bytes.equals(disk.read(path))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

function missing(id: string, blob: string, what: string): LoaderError {
  return new LoaderError(
    'blob_missing',
    `Text ${blob} of session ${id} ${what}. What names it cannot be shown in full.`,
  )
}
