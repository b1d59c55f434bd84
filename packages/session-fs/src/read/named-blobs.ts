import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import type { Layout } from '../format/layout.ts'
import { type FoundFile, lookAt } from './look-at.ts'

const name = /"blob":"([0-9a-f]{64}\.(?:txt|json))"/g

const wholeName = /^[0-9a-f]{64}\.(?:txt|json)$/

export function isBlobName(file: string): boolean {
  return wholeName.test(file)
}

/** The blobs that an event, or anything else that is written as JSON, names. */
export function blobNamesIn(json: string): string[] {
  return json.includes('"blob":"') ? Array.from(json.matchAll(name), (match) => match[1] as string) : []
}

export function lookAtBlob(disk: Disk, layout: Layout, blob: string): FoundFile | { readonly kind: 'damaged' } {
  const file = lookAt(disk, join(layout.blobs, blob))
  if (file.kind !== 'bytes') return file
  return createHash('sha256').update(file.bytes).digest('hex') === blob.slice(0, 64) ? file : { kind: 'damaged' }
}
