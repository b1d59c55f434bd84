import { lstatSync } from 'node:fs'
import { readFileNow } from '@loader/workspace'

/** Files above this are not read, whatever they may become: photographs and scanned pages are smaller. */
const largestMedia = 64 * 1024 * 1024

export type StableFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * All bytes of a regular file at a real path. One that changes while it is read is refused: half of one picture and half
 * of another is none. Pipes and devices are not opened.
 */
export async function readStable(path: string): Promise<StableFile> {
  const look = await readFileNow(path, largestMedia)
  if (look.kind === 'absent') return look
  if (look.kind === 'unreadable') return { kind: 'refused', why: `${look.why}.` }
  const { bytes, version } = look.file
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  const isSame = now?.ino === version.ino && now.size === version.size && now.mtimeNs === version.mtimeNs
  if (!isSame) return { kind: 'refused', why: 'it changed while it was read. Try again.' }
  return { kind: 'file', bytes }
}
