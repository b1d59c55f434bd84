import module from 'node:module'
import { isAbsolute, join } from 'node:path'
import { homeFolder } from '@loader/workspace'

/**
 * Has Node keep what it compiles, which makes every start but the first one quicker. The folder is the user's own: code
 * that others could put there would be run.
 */
export function enableCompileCache(environment: Readonly<Record<string, string | undefined>>): void {
  const caches = cacheFolder(environment['XDG_CACHE_HOME'])
  // Node 20 does not have it.
  if (caches === undefined || typeof module.enableCompileCache !== 'function') return
  module.enableCompileCache(join(caches, 'loader', 'compiled'))
}

function cacheFolder(xdg: string | undefined): string | undefined {
  if (xdg !== undefined && isAbsolute(xdg)) return xdg
  const home = homeFolder()
  return home === undefined ? undefined : join(home, '.cache')
}
