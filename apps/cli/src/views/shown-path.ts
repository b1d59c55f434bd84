import { isAbsolute, relative, sep } from 'node:path'

/** A path as people read it: within the project from its root on, elsewhere in full. */
export function shownPath(root: string, path: string): string {
  const within = relative(root, path)
  const isOutside = within === '' || within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)
  return isOutside ? path : within
}
