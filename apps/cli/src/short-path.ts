import { homedir } from 'node:os'

/** Within the project as it is seen from there; below the home folder with a tilde. */
export function shortPath(file: string, root: string): string {
  const home = homedir()
  if (file.startsWith(`${root}/`)) return file.slice(root.length + 1)
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}
