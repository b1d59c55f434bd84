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

/** The same content is the same file, however new it is. */
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

/** Content begins with the mode. */
function isLink(file: InventoryFile | undefined): boolean {
  return file?.content.startsWith('120') === true
}

/** What Python runs when it starts, whoever asks for it. */
const runsAlways = /(^|\/)(sitecustomize\.py|usercustomize\.py|[^/]+\.pth)$/

/**
 * Packages of Python lie beside the folder that names them. What is of one that came, went or has another version: the
 * folder or module of its name, and those that came or went as a whole where it did.
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

/** As Python compares the names of packages. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '_')
}
