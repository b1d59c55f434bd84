import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import { packageFolders } from '../walk/names.ts'
import { blobId, readBlobs } from './ask-side.ts'
import { emptyInventory, type Inventory, readInventory, takeInventory, writeInventory } from './inventory.ts'
import { lookAround } from './look-around.ts'
import { nestedStates } from './nested-repositories.ts'
import { PrivateIndex } from './private-index.ts'
import { isNeverKept, type RawPath } from './raw-path.ts'
import { keepText, sideGit, type SideRepository, textOf } from './side-repository.ts'
import { readStatus, statusArguments } from './status.ts'

interface InventoryRequest {
  readonly side: SideRepository
  readonly prefix: RawPath
  readonly signal: Signal | undefined
}

export interface KeptInventory {
  /** That of a blob. */
  readonly id: string
  /** Folders within packages that are not in it, relative to the workspace: what programs keep there to save time. */
  readonly caches: readonly RawPath[]
}

/** Takes the inventory with the help of the last one. */
export async function keepInventory({ side, prefix, signal }: InventoryRequest): Promise<KeptInventory> {
  const { folders, nested } = await ignoredFolders(side, prefix, signal)
  const latest = textOf(join(side.folder, 'inventory'))
  const known = latest === undefined ? emptyInventory : await loadInventory(side, latest).catch(forgotten)
  const { caches, ...found } = await takeInventory(side.top, folders, known, signal)
  const bytes = writeInventory({ ...found, nested: await nestedStates(side, nested) })
  const id = blobId(bytes)
  if (id !== latest) {
    await sideGit(side, {
      arguments: ['hash-object', '-w', '-t', 'blob', '--stdin', '--no-filters'],
      input: bytes,
      signal,
    })
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

/** It only saves reading. */
function forgotten(error: unknown): Inventory {
  if (LoaderError.is(error, 'blob_missing')) return emptyInventory
  throw error
}

async function ignoredFolders(side: SideRepository, prefix: RawPath, signal: Signal | undefined) {
  using index = new PrivateIndex(side.folder)
  index.begin()
  const below = prefix === '' ? [] : ['--', prefix]
  const { output } = await sideGit(side, { arguments: [...statusArguments, ...below], index: index.path, signal })
  const { ignored, nested } = readStatus(output)
  const folders = ignored.filter((path) => path.endsWith('/'))
  const around = await lookAround(side.top, prefix, new Set([...nested, ...folders]), signal)
  return {
    folders: folders.filter((path) => packageFolders.has(path.split('/').at(-2) ?? '')),
    nested: [...new Set([...nested, ...around.repositories])].filter((path) => !isNeverKept(path)).sort(),
  }
}
