import type { Inventory, InventoryFile } from './inventory.ts'
import { foldersAbove, type RawPath, shownRawPath } from './raw-path.ts'
import type { InventoryChanges } from './trees-shown.ts'

export function inventoryChanges(from: Inventory, to: Inventory): InventoryChanges {
  const moved = new Map<RawPath, { readonly before?: string; readonly after?: string }>()
  for (const path of new Set([...from.packages.keys(), ...to.packages.keys()])) {
    const [before, after] = [from.packages.get(path), to.packages.get(path)]
    if (before !== after) moved.set(path, { ...(before && { before }), ...(after && { after }) })
  }
  const isOfMovedPython = ofMovedPython([...moved.keys()], from, to)
  const files = [...new Set([...from.files.keys(), ...to.files.keys()])].flatMap((path) => {
    const change = changeOf(from.files.get(path), to.files.get(path))
    const folders = foldersAbove(path)
    if (change === undefined || folders.some((folder) => moved.has(folder))) return []
    if (isOfMovedPython(path)) return []
    const owner = folders.find((folder) => to.packages.has(folder))
    const name = owner === undefined ? undefined : to.packages.get(owner)
    const link = isLink(to.files.get(path) ?? from.files.get(path)) ? ({ link: true } as const) : {}
    return [
      { path: shownRawPath(path), change, ...(name === undefined ? {} : { package: shownRawPath(name) }), ...link },
    ]
  })
  const nested = [...new Set([...from.nested.keys(), ...to.nested.keys()])].filter(
    (path) => from.nested.get(path) !== to.nested.get(path),
  )
  return {
    packages: [...moved].map(([path, versions]) => ({ path: shownRawPath(path), ...versions })),
    files,
    nested: nested.map(shownRawPath),
  }
}

/** Files with the same content are equal, even if one of them was written anew. */
function changeOf(
  before: InventoryFile | undefined,
  after: InventoryFile | undefined,
): 'added' | 'modified' | 'deleted' | undefined {
  if (before === undefined) return 'added'
  if (after === undefined) return 'deleted'
  const isSame =
    before.content === '' || after.content === '' ? before.version === after.version : before.content === after.content
  return isSame ? undefined : 'modified'
}

/** For a link the content begins with the mode of a link. */
function isLink(file: InventoryFile | undefined): boolean {
  return file?.content.startsWith('120') === true
}

/** Files that Python runs at every start. */
const runsAlways = /(^|\/)(sitecustomize\.py|usercustomize\.py|[^/]+\.pth)$/

/**
 * Python packages lie beside their metadata folder. Selects the paths of packages that were added, removed or updated:
 * the folder or module of the same name, and those that were added or removed as a whole next to it.
 */
function ofMovedPython(moved: readonly RawPath[], from: Inventory, to: Inventory): (path: RawPath) => boolean {
  const dists = moved.flatMap((path) => {
    const [, place = '', name = ''] = /^(.*\/)?([^/]+)-[^-/]+\.dist-info$/s.exec(path) ?? []
    return name === '' ? [] : [{ place, name: plain(name) }]
  })
  if (dists.length === 0) return () => false
  const places = new Set(dists.map(({ place }) => place))
  const top = (path: RawPath) => {
    const place = [...places].find((it) => path.startsWith(it))
    return place === undefined ? undefined : `${place}${path.slice(place.length).split('/')[0] ?? ''}`
  }
  const topsOf = ({ files }: Inventory) => new Set([...files.keys()].flatMap((path) => top(path) ?? []))
  const [old, fresh] = [topsOf(from), topsOf(to)]
  const names = new Set(dists.map(({ place, name }) => place + name))
  return (path) => {
    const own = top(path)
    if (own === undefined || runsAlways.test(own)) return false
    const place = own.slice(0, own.lastIndexOf('/') + 1)
    return old.has(own) !== fresh.has(own) || names.has(place + plain(own.slice(place.length).replace(/\.py$/, '')))
  }
}

/** Normalises a package name as Python compares them. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '_')
}
