import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import type { BesideChanges, BesideTree } from '@loader/session-core/coding'
import { changedSince } from '../rooms/changed-since.ts'
import type { Rooms } from '../rooms/room.ts'
import type { LocalTrees } from '../trees/open-trees.ts'
import { shownPath } from '../trees/raw-path.ts'
import { packagesOf } from './packages-of.ts'

interface Places {
  readonly root: string
  readonly trees: LocalTrees
  readonly rooms: Rooms
}

/** Folders within packages that the latest look at them has passed over. */
const passedOver = new WeakMap<LocalTrees, readonly string[]>()

/** Keeps what the workspace has beside its tree. What programs keep to save time is not kept; the time tells of it. */
export async function lookBeside(
  { trees, rooms }: Places,
  { signal }: { readonly signal?: Signal | undefined },
): Promise<BesideTree> {
  const since = Date.now()
  const packages = await trees.lookAtPackages({ signal })
  passedOver.set(trees, packages?.caches.map(shownPath) ?? [])
  const ignored = await rooms.keepIgnored({ ...(signal !== undefined && { signal }) })
  return {
    since,
    ...(packages !== undefined && { inventory: packages.id }),
    ...(ignored.kind === 'kept' && { ignored: ignored.id }),
  }
}

/** `to` is the latest look: what is not kept is looked at as it is now. */
export async function besideChanges(
  places: Places,
  from: BesideTree,
  to: BesideTree,
  session: string | undefined,
): Promise<BesideChanges> {
  const { trees, rooms } = places
  const packages = await between(from.inventory, to.inventory, async (one, other) =>
    packagesOf(await trees.inventoryChanges(one, other)).map(({ name }) => name),
  )
  const ignored = await between(from.ignored, to.ignored, async (one, other) =>
    (await rooms.ignoredChanges(one, other)).map(({ path }) => path),
  )
  const caches = await cachesChanged(places, from.since)
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

/** Undefined where one of both was not kept, or is not any more. */
async function between<Value>(
  one: string | undefined,
  other: string | undefined,
  compare: (one: string, other: string) => Promise<readonly Value[]>,
): Promise<readonly Value[] | undefined> {
  if (one === undefined || other === undefined) return undefined
  if (one === other) return []
  try {
    return await compare(one, other)
  } catch (error) {
    if (LoaderError.is(error, 'blob_missing')) return undefined
    throw error
  }
}

/** Undefined where that is not known of all. */
async function cachesChanged(
  { root, trees, rooms }: Places,
  since: number | undefined,
): Promise<readonly string[] | undefined> {
  const folders = [...(await rooms.caches()), ...(passedOver.get(trees) ?? [])]
  if (since === undefined) return folders.length === 0 ? [] : undefined
  const changed: string[] = []
  let isKnown = true
  for (const path of folders) {
    const { paths, isCut } = await changedSince(join(root, path), since, { most: 1, signal: undefined })
    if (paths.length > 0) changed.push(path)
    else if (isCut) isKnown = false
  }
  return isKnown || changed.length > 0 ? changed : undefined
}

const mostNamed = 1000

/** Undefined times and folders that are cut: all of it may be new. */
async function layersChanged({ rooms }: Places, session: string, since = 0): Promise<readonly string[]> {
  const changed: string[] = []
  for (const [path, upper] of await rooms.layers(session)) {
    const { paths, isCut } = await changedSince(upper, since, { most: mostNamed, signal: undefined })
    changed.push(...paths.map((each) => (each === '' ? path : `${path}/${each}`)))
    if (isCut && paths.length === 0) changed.push(path)
  }
  return changed.toSorted()
}
