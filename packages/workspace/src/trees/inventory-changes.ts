import type { Inventory, InventoryFile } from './inventory.ts'
import { foldersAbove, type RawPath, shownPath } from './raw-path.ts'
import type { InventoryChanges } from './trees-shown.ts'

export function inventoryChanges(from: Inventory, to: Inventory): InventoryChanges {
  const moved = new Map<RawPath, { readonly before?: string; readonly after?: string }>()
  for (const path of new Set([...from.packages.keys(), ...to.packages.keys()])) {
    const [before, after] = [from.packages.get(path), to.packages.get(path)]
    if (before !== after) moved.set(path, { ...(before && { before }), ...(after && { after }) })
  }
  const files = [...new Set([...from.files.keys(), ...to.files.keys()])].flatMap((path) => {
    const change = changeOf(from.files.get(path), to.files.get(path))
    const folders = foldersAbove(path)
    if (change === undefined || folders.some((folder) => moved.has(folder))) return []
    const owner = folders.find((folder) => to.packages.has(folder))
    const name = owner === undefined ? undefined : to.packages.get(owner)
    return [{ path: shownPath(path), change, ...(name === undefined ? {} : { package: shownPath(name) }) }]
  })
  const nested = [...new Set([...from.nested.keys(), ...to.nested.keys()])].filter(
    (path) => from.nested.get(path) !== to.nested.get(path),
  )
  return {
    packages: [...moved].map(([path, versions]) => ({ path: shownPath(path), ...versions })),
    files,
    nested: nested.map(shownPath),
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
