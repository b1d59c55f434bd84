import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import type { BesideChanges, BesideTree } from '@loader/session-core/coding'
import * as z from 'zod'
import { tickMs } from '../files/change-times.ts'
import { changedSince } from '../rooms/changed-since.ts'
import type { Rooms } from '../rooms/room.ts'
import type { LocalTrees } from '../trees/open-trees.ts'
import { shownRawPath } from '../trees/raw-path.ts'
import { packagesOf } from './packages-of.ts'

interface Places {
  readonly root: string
  readonly trees: LocalTrees
  readonly rooms: Rooms
}

const CacheFolders = z.array(z.string())

/** The last list stored for each workspace, with its id. */
const latest = new WeakMap<LocalTrees, { readonly list: string; readonly id: string }>()

/**
 * Stores the state of what the workspace has beside its tree. Of caches only the folders: change times show the rest.
 */
export async function lookBeside(
  { trees, rooms }: Places,
  { signal }: { readonly signal?: Signal | undefined },
): Promise<BesideTree> {
  const since = Date.now() - tickMs
  const packages = await trees.lookAtPackages({ signal })
  const ignored = await rooms.keepIgnored({ ...(signal !== undefined && { signal }) })
  if (ignored.kind === 'refused') return { since, ...(packages !== undefined && { inventory: packages.id }) }
  const folders = [...(await rooms.caches({ signal })), ...(packages?.caches.map(shownRawPath) ?? [])]
  return {
    since,
    ...(packages !== undefined && { inventory: packages.id }),
    ignored: ignored.id,
    caches: await keepList(trees, folders.toSorted()),
  }
}

async function keepList(trees: LocalTrees, folders: readonly string[]): Promise<string> {
  const list = JSON.stringify(folders)
  const known = latest.get(trees)
  if (known?.list === list && (await trees.isKept(known.id))) return known.id
  const id = await trees.keepFiles([], list)
  latest.set(trees, { list, id })
  return id
}

/** `to` is the latest state: what it did not store is read from the workspace as it is now. */
export async function besideChanges(
  places: Places,
  from: BesideTree,
  to: BesideTree,
  session: string | undefined,
): Promise<BesideChanges> {
  const { trees, rooms } = places
  const packages = await between(from.inventory, to.inventory, async (one, other) =>
    one === other ? [] : packagesOf(await trees.inventoryChanges(one, other)).map(({ name }) => name),
  )
  const ignored = await between(from.ignored, to.ignored, async (one, other) =>
    one === other ? [] : (await rooms.ignoredChanges(one, other)).map(({ path }) => path),
  )
  const caches = await between(from.caches, to.caches, (one, other) => cachesChanged(places, one, other, from.since))
  const notLooked = [
    ...(ignored === undefined || caches === undefined ? (['ignored'] as const) : []),
    ...(packages === undefined ? (['packages'] as const) : []),
  ]
  return {
    ignored: [...new Set([...(ignored ?? []), ...(caches ?? [])])].toSorted(),
    packages: packages ?? [],
    session: session === undefined ? [] : await layersChanged(places, session, from.since),
    notLooked,
  }
}

/** Undefined if either state was not stored or no longer exists. */
async function between<Value>(
  one: string | undefined,
  other: string | undefined,
  compare: (one: string, other: string) => Promise<readonly Value[] | undefined>,
): Promise<readonly Value[] | undefined> {
  if (one === undefined || other === undefined) return undefined
  try {
    return await compare(one, other)
  } catch (error) {
    if (LoaderError.is(error, 'blob_missing')) return undefined
    throw error
  }
}

/** Cache folders that are gone or have changes. Undefined if that is not known for all. */
async function cachesChanged(
  { root, trees }: Places,
  one: string,
  other: string,
  since = 0,
): Promise<readonly string[] | undefined> {
  const [before, now] = [await listOf(trees, one), await listOf(trees, other)]
  const changed = before.filter((path) => !now.includes(path))
  let isCut = false
  for (const path of now) {
    const seen = await changedSince(join(root, path), since, { most: 1, signal: undefined })
    if (seen.paths.length > 0) changed.push(path)
    else isCut ||= seen.isCut
  }
  return isCut && changed.length === 0 ? undefined : changed
}

async function listOf(trees: LocalTrees, id: string): Promise<readonly string[]> {
  return CacheFolders.parse(JSON.parse((await trees.keptFiles(id)).beside))
}

const mostNamed = 1000

/** Without a time, every layer may be new. */
async function layersChanged({ rooms }: Places, session: string, since = 0): Promise<readonly string[]> {
  const changed: string[] = []
  for (const [path, upper] of await rooms.layers(session)) {
    const { paths, isCut } = await changedSince(upper, since, { most: mostNamed, signal: undefined })
    changed.push(...paths.map((each) => (each === '' ? path : `${path}/${each}`)))
    if (isCut && paths.length === 0) changed.push(path)
  }
  return changed.toSorted()
}
