import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../places/places.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'

/** Files of a project in which programs share hooks, the one for everybody first. */
export function sharedHooksFiles({ root }: Pick<Places, 'root'>): readonly string[] {
  return ['settings.json', 'settings.local.json'].map((name) => join(root, '.claude', name))
}

/** Whether hooks may be named anywhere. Most runs have none, and load nothing of what follows. */
export function namesHooks({ origins }: LoadedSettings, places: Pick<Places, 'root'>): boolean {
  return origins.some(({ name }) => name === 'hooks') || sharedHooksFiles(places).some((file) => existsSync(file))
}
