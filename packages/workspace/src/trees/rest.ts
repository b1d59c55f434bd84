import { LoaderError } from '@loader/session-core'
import { blobId } from '../git/object-id.ts'
import { readBlobs } from './ask-side.ts'
import type { LeftOutPath } from './left-out.ts'
import { type RawPath, splitAtNul } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

/**
 * One entry of the workspace that is in no tree. Its path is relative to the workspace; that of a folder ends with `/`.
 */
export interface RestEntry {
  readonly kind: string
  readonly path: RawPath
  readonly content: string
}

const written = new WeakMap<SideRepository, string>()

/**
 * Stores the list of entries that a tree leaves out as a blob, and returns its id. Ignored entries are not listed: they
 * may come and go.
 */
export async function keepRest(side: SideRepository, prefix: RawPath, paths: readonly LeftOutPath[]): Promise<string> {
  const entries = paths
    .filter(({ kind }) => kind !== 'ignored')
    .map(({ kind, path, content = '' }) => ({ kind, path: path.slice(prefix.length), content }))
  return await keepRestEntries(side, entries)
}

export async function keepRestEntries(side: SideRepository, entries: readonly RestEntry[]): Promise<string> {
  const lines = entries.map(({ kind, path, content }) => `${kind}\0${path}\0${content}\0`)
  const bytes = Buffer.from([...new Set(lines)].sort().join(''), 'latin1')
  const id = blobId(bytes)
  if (written.get(side) !== id) {
    await side.objects.keep([{ type: 'blob', content: bytes }])
    written.set(side, id)
  }
  return id
}

export async function readRest(side: SideRepository, id: string): Promise<RestEntry[]> {
  const bytes = (await readBlobs(side, [id])).get(id)
  if (bytes === undefined) {
    throw new LoaderError('blob_missing', `What a tree of the workspace leaves out (${id}) is not kept any more.`)
  }
  const parts = splitAtNul(bytes.toString('latin1'))
  const entries: RestEntry[] = []
  for (let index = 0; index + 2 < parts.length; index += 3) {
    entries.push({ kind: parts[index] ?? '', path: parts[index + 1] ?? '', content: parts[index + 2] ?? '' })
  }
  return entries
}
