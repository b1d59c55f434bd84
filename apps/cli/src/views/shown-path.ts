import { isAbsolute, relative, sep } from 'node:path'

/** A path for people: relative to the root inside the project, else absolute. */
export function shownPath(root: string, path: string): string {
  const within = relative(root, path)
  const isOutside = within === '' || within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)
  return isOutside ? path : within
}
