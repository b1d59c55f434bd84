import type { PackageChange } from '@loader/session-core/coding'
import type { InventoryChanges } from '../trees/trees-shown.ts'

/** The changes of installed packages, each package once. */
export function packagesOf({ packages, files, nested }: InventoryChanges): readonly Omit<PackageChange, 'byInstall'>[] {
  const all = new Map<string, PackageChange['change']>()
  for (const { path, before, after } of packages) {
    const name = nameOf(after ?? before ?? path)
    all.set(name, before === undefined ? 'added' : after === undefined ? 'removed' : 'version')
  }
  for (const file of files) {
    all.set(file.package === undefined ? file.path : nameOf(file.package), changeOf(file))
  }
  for (const path of nested) all.set(path, 'edited')
  return [...all].map(([name, change]) => ({ name, change })).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Programs of packages and notes of installers: package names cannot begin with a dot. */
const isProgram = /(^|\/)(node_modules\/\.bin|(\.venv|venv)\/bin)\/[^/]+$/
const isNote = /(^|\/)node_modules\/\.[^/]+$/

/**
 * A changed file in a package that keeps its version was edited by hand. Outside of packages, links, programs and notes
 * come and go with packages, and installers rewrite notes; any other file was edited.
 */
function changeOf(file: InventoryChanges['files'][number]): PackageChange['change'] {
  const { path, change, link = false } = file
  const comesWithPackages = file.package === undefined && (link || isProgram.test(path) || isNote.test(path))
  if (!comesWithPackages) return 'edited'
  if (change === 'added') return 'added'
  if (change === 'deleted') return 'removed'
  return isNote.test(path) ? 'version' : 'edited'
}

/** `left-pad@1.3.0` without its version. */
function nameOf(text: string): string {
  return text.replace(/(.)@[^@/]*$/, '$1')
}
