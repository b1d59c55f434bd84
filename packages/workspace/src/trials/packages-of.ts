import type { PackageChange } from '@loader/session-core/coding'
import type { InventoryChanges } from '../trees/trees-shown.ts'

/** What became of installed packages, each named once. */
export function packagesOf({ packages, files, nested }: InventoryChanges): readonly Omit<PackageChange, 'byInstall'>[] {
  const all = new Map<string, PackageChange['change']>()
  for (const { path, before, after } of packages) {
    const name = nameOf(after ?? before ?? path)
    all.set(name, before === undefined ? 'added' : after === undefined ? 'removed' : 'version')
  }
  for (const { path, package: name } of files) all.set(name === undefined ? path : nameOf(name), 'edited')
  for (const path of nested) all.set(path, 'edited')
  return [...all].map(([name, change]) => ({ name, change })).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** `left-pad@1.3.0` without its version. */
function nameOf(text: string): string {
  return text.replace(/(.)@[^@/]*$/, '$1')
}
