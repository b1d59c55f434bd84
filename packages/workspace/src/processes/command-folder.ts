import { type Place, resolvePlace } from '../paths/place.ts'

/** The folder in which a command runs, or the reason why it cannot run there. */
export function commandFolder(root: string, cwd: string): Place | string {
  const place = resolvePlace(root, cwd)
  if (place.kind === 'refused') return place.why
  if (place.entry !== 'folder') return `There is no folder ${place.shown} to run a command in.`
  if (!place.inside)
    return `${cwd} lies outside the workspace. Commands start inside; they can change the folder themselves.`
  return place
}
