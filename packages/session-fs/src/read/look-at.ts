import type { Disk } from '../disk/disk.ts'
import { codeOf, isPassing } from '../disk/file-errors.ts'
import { NotAFile } from '../disk/only-files.ts'

/** A file as it was found, in whatever condition. */
export type FoundFile =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly code: string }

export function lookAt(disk: Disk, path: string): FoundFile {
  try {
    const bytes = disk.readIfThere(path)
    return bytes === undefined ? { kind: 'missing' } : { kind: 'bytes', bytes }
  } catch (error) {
    return { kind: 'unreadable', code: codeOfUnreadable(error) }
  }
}

/** Why a file cannot be opened. What may pass by itself says nothing of the file, and is thrown again. */
export function codeOfUnreadable(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined || isPassing(error)) throw error
  return error instanceof NotAFile ? `it is ${error.what}` : code
}
