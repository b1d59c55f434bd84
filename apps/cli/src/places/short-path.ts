import { homeFolder } from '@loader/workspace'

/** A path inside the project relative to its root; below the home folder with a tilde. */
export function shortPath(file: string, root: string): string {
  const home = homeFolder()
  if (file.startsWith(`${root}/`)) return file.slice(root.length + 1)
  return home !== undefined && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}
