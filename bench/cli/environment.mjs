import { join } from 'node:path'

/** Nothing of the user who runs this, and nothing that stays. */
export function environmentIn(folder, more) {
  return {
    ...process.env,
    LOADER_CONFIG_DIR: join(folder, 'config'),
    LOADER_STATE: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'caches'),
    // What is measured has nothing to do with walls, and they are not on every machine.
    LOADER_WALLS: 'off',
    CI: '1',
    ...more,
  }
}
