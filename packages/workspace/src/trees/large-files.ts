import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Signal } from '@loader/session-core'
import * as z from 'zod'
import { codeOf } from '../paths/system-errors.ts'
import { versionKey } from './private-index.ts'
import { rawBytes } from './raw-bytes.ts'
import type { RawPath } from './raw-path.ts'
import { keepText, textOf } from './side-repository.ts'

const Known = z.record(z.string(), z.object({ version: z.string(), hash: z.string() }))
type Known = z.infer<typeof Known>

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
const pieceBytes = 1024 * 1024
/** Reading a larger file takes many seconds, so its stat data identify it: a changed time counts as a change. */
const largestHashed = 256n * 1024n * 1024n

/** Hashes of files that are too large for a tree; each is read again only when its stat data changes. */
export class LargeFiles {
  readonly #path: string
  #known: Known | undefined

  constructor(folder: string) {
    this.#path = join(folder, 'large.json')
  }

  async hashes(
    top: string,
    files: readonly { readonly path: RawPath; readonly stats: BigIntStats }[],
    signal: Signal | undefined,
  ): Promise<ReadonlyMap<RawPath, string>> {
    if (files.length === 0) return new Map()
    this.#known ??= readKnown(this.#path)
    const now: Known = {}
    for (const { path, stats } of files) {
      const version = versionKey(stats)
      const known = this.#known[path]
      const at = Buffer.concat([Buffer.from(`${top}/`), rawBytes(path)])
      const hash = known?.version === version ? known.hash : await identify(at, stats, signal)
      now[path] = { version, hash }
    }
    this.#known = now
    keepText(this.#path, JSON.stringify(now))
    return new Map(Object.entries(now).map(([path, { hash }]) => [path, hash]))
  }
}

function readKnown(path: string): Known {
  const text = textOf(path)
  if (text === undefined) return {}
  try {
    return Known.safeParse(JSON.parse(text)).data ?? {}
  } catch (error) {
    // The cache is unreadable; it only saves time.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

async function identify(path: Buffer, stats: BigIntStats, signal: Signal | undefined): Promise<string> {
  if (stats.size > largestHashed) return `unread:${versionKey(stats)}`
  try {
    await using handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(pieceBytes)
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await handle.read(piece, 0, piece.length, null)
      if (bytesRead === 0) return `sha256:${hash.digest('hex')}`
      hash.update(piece.subarray(0, bytesRead))
    }
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined || code === 'ABORT_ERR') throw error
    return `unreadable:${code}`
  }
}
