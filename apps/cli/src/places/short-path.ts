import { homeFolder } from '@loader/workspace'

/** Within the project as it is seen from there; below the home folder with a tilde. */
export function shortPath(file: string, root: string): string {
  const home = homeFolder()
  if (file.startsWith(`${root}/`)) return file.slice(root.length + 1)
  return home !== undefined && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}
