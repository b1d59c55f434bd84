import { isAbsolute, join } from 'node:path'
import { homeFolder } from '@loader/workspace'

/**
 * The folder for caches, by the XDG rules; undefined without a home. It must belong to the user, because compiled code
 * in it is run.
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const xdg = environment['XDG_CACHE_HOME']
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'loader')
  const home = homeFolder()
  return home === undefined ? undefined : join(home, '.cache', 'loader')
}
