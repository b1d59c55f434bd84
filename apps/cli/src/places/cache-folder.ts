import { isAbsolute, join } from 'node:path'
import { homeFolder } from '@loader/workspace'

/**
 * Where things are kept that only save time, by the XDG rules; undefined without a home. The folder is the user's own:
 * code that others could put there would be run.
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const xdg = environment['XDG_CACHE_HOME']
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'loader')
  const home = homeFolder()
  return home === undefined ? undefined : join(home, '.cache', 'loader')
}
