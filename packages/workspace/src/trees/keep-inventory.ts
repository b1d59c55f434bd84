import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import { blobId } from '../git/object-id.ts'
import { packageFolders } from '../walk/names.ts'
import { readBlobs } from './ask-side.ts'
import { emptyInventory, type Inventory, readInventory, takeInventory, writeInventory } from './inventory.ts'
import { nestedFiles, nestedStates } from './nested-repositories.ts'
import type { RawPath } from './raw-path.ts'
import { keepText, type SideRepository, textOf } from './side-repository.ts'
import type { LeftInPlace } from './trees-shown.ts'

interface InventoryRequest {
  readonly side: SideRepository
  readonly prefix: RawPath
  readonly left: Pick<LeftInPlace, 'ignored' | 'nested' | 'large'>
  readonly signal: Signal | undefined
}

export interface KeptInventory {
  /** The id of the blob. */
  readonly id: string
  /** Cache folders within packages that the inventory skips, relative to the workspace. */
  readonly caches: readonly RawPath[]
}

/** Takes the inventory, reusing the last one. */
export async function keepInventory({ side, prefix, left, signal }: InventoryRequest): Promise<KeptInventory> {
  const folders = left.ignored.filter((path) => path.endsWith('/') && packageFolders.has(path.split('/').at(-2) ?? ''))
  const nested = left.nested.map((path) => prefix + path).sort()
  const latest = textOf(join(side.folder, 'inventory'))
  const known = latest === undefined ? emptyInventory : await loadInventory(side, latest).catch(forgotten)
  const large = left.large.map((path) => prefix + path)
  const { caches, ...found } = await takeInventory(
    side.top,
    { folders: folders.map((path) => prefix + path), listed: [...large, ...(await nestedFiles(side, nested))] },
    known,
    signal,
  )
  const bytes = writeInventory({ ...found, nested: await nestedStates(side, nested) })
  const id = blobId(bytes)
  if (id !== latest) {
    await side.objects.keep([{ type: 'blob', content: bytes }])
    keepText(join(side.folder, 'inventory'), id)
  }
  return { id, caches: caches.map((path) => path.slice(prefix.length)) }
}

export async function loadInventory(side: SideRepository, id: string): Promise<Inventory> {
  const bytes = (await readBlobs(side, [id])).get(id)
  if (bytes === undefined)
    throw new LoaderError('blob_missing', `The inventory ${id} of the workspace is not kept any more.`)
  return readInventory(bytes)
}

/** A lost inventory is no error: it only saves reading. */
function forgotten(error: unknown): Inventory {
  if (LoaderError.is(error, 'blob_missing')) return emptyInventory
  throw error
}
