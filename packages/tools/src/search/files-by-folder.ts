import { join } from 'node:path'
import { breather, folderOf, hold, type IgnoreRules, isNeverListed, type ListedFolder, within } from '@loader/workspace'

/** The files with these paths, folder by folder, without those that are ignored. */
export async function* filesByFolder(
  top: string,
  paths: readonly string[],
  rules: IgnoreRules | undefined,
): AsyncGenerator<ListedFolder, undefined> {
  const rest = breather()
  for (let first = 0; first < paths.length;) {
    const path = folderOf(paths[first] ?? '')
    let end = first + 1
    while (end < paths.length && folderOf(paths[end] ?? '') === path) end += 1
    const names = paths.slice(first, end).map((file) => file.slice(path === '' ? 0 : path.length + 1))
    first = end
    if (path.split('/').some(isNeverListed)) continue
    using folder = hold(join(top, path))
    const files = names.filter((name) => !isNeverListed(name) && !rules?.ignoresFile(within(path, name)))
    if (folder !== undefined && files.length > 0) yield { path, folder, files }
    await rest()
  }
}
