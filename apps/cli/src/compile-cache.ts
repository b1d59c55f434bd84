import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Has Node keep what it compiles, which makes every start but the first one quicker. The folder is the user's own: code
 * that others could put there would be run.
 */
export function enableCompileCache(environment: Readonly<Record<string, string | undefined>>): void {
  const xdg = environment['XDG_CACHE_HOME']
  const caches = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.cache')
  // Node 20 does not have it.
  if (typeof module.enableCompileCache === 'function') module.enableCompileCache(join(caches, 'loader', 'compiled'))
}
