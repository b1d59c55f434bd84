import { LoaderError } from '@loader/session-core'

/** A path in a room's description, checked to be inside of the workspace; any other is a mistake of the caller. */
export function requireInside(path: string): string {
  const names = path.split('/')
  if (path !== '' && !names.some((name) => name === '' || name === '.' || name === '..') && !path.includes('\0'))
    return path
  throw new LoaderError(
    'invalid_config',
    `${JSON.stringify(path)} cannot lie in a room. Give a path relative to the workspace, with forward slashes.`,
  )
}
