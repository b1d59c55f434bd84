import { type Hash, createHash } from 'node:crypto'
import { type BigIntStats, constants, readlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Signal } from '@loader/session-core'
import { codeOf } from '../paths/system-errors.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
const pieceBytes = 1024 * 1024

/**
 * Stands for the mode and content of what lies at a path: a file, or a symbolic link as a link. What cannot be read, or
 * has no content of its own, says so instead of hiding. Of a manifest, what of it steers checks has a hash of its own
 * behind that. Undefined when it is gone.
 */
export async function hashOf(
  path: string | Buffer,
  stats: BigIntStats,
  signal: Signal | undefined,
  steering?: (text: string) => string | undefined,
): Promise<string | undefined> {
  try {
    if (stats.isSymbolicLink()) return `link:${digest(readlinkSync(path, { encoding: 'buffer' }))}`
    if (!stats.isFile()) return `special:${kindOf(stats)}`
    return `${permissionsOf(stats)}:${await contentOf(path, signal, steering)}`
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    // Running out of something says nothing about the file.
    if (code === undefined || ['EMFILE', 'ENFILE', 'ENOMEM'].includes(code)) throw error
    return `unreadable:${code}:${permissionsOf(stats)}:${stats.size}:${stats.mtimeNs}`
  }
}

/** Should a pipe have taken the place of the file by now, opening it must not wait. */
async function contentOf(
  path: string | Buffer,
  signal: Signal | undefined,
  steering: ((text: string) => string | undefined) | undefined,
): Promise<string> {
  await using handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  const { size } = await handle.stat()
  if (size <= pieceBytes) {
    const bytes = await handle.readFile()
    const part = steering?.(bytes.toString('utf8'))
    return part === undefined ? digest(bytes) : `${digest(bytes)}:${digest(Buffer.from(part))}`
  }
  return await digestOfPieces(handle, createHash('sha256'), signal)
}

/** A large file is read piece by piece, so that neither memory nor a wish to stop has to wait for it. */
async function digestOfPieces(handle: FileHandle, hash: Hash, signal: Signal | undefined): Promise<string> {
  const piece = Buffer.allocUnsafe(pieceBytes)
  for (;;) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(piece, 0, piece.length, null)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, bytesRead))
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function permissionsOf({ mode }: BigIntStats): string {
  return (mode & 0o7777n).toString(8).padStart(4, '0')
}

function kindOf(stats: BigIntStats): string {
  return stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'device'
}
