import { homeFolder } from '@loader/workspace'

/** A path inside the project relative to its root; below the home folder with a tilde. */
export function shortPath(file: string, root: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : belowHome(file)
}

/** A path below the home folder with a tilde; any other as it is. */
export function belowHome(file: string): string {
  const home = homeFolder()
  return home !== undefined && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}
