import { join } from 'node:path'

/** Variables that keep the user's own settings out, and all files in the folder of the bench, which is removed. */
export function environmentIn(folder, more) {
  return {
    ...process.env,
    LOADER_CONFIG_DIR: join(folder, 'config'),
    LOADER_STATE: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'caches'),
    // The measured work has nothing to do with walls, and they are not on every machine.
    LOADER_WALLS: 'off',
    CI: '1',
    ...more,
  }
}
