import { join } from 'node:path'
import type { Places } from '../places/places.ts'

/** Whose file it is: of the user, of the project with everybody who works on it, of the user in this project. */
export function settingsFile(
  { root, config }: Pick<Places, 'root' | 'config'>,
  whose: 'user' | 'project' | 'local',
): string {
  if (whose === 'user') return join(config, 'settings.json')
  return join(root, '.loader', whose === 'project' ? 'settings.json' : 'settings.local.json')
}

/** The files of settings, from weak to strong, there or not. */
export function settingsFiles({
  root,
  config,
}: Pick<Places, 'root' | 'config'>): { readonly file: string; readonly ofProject: boolean }[] {
  return [
    { file: settingsFile({ root, config }, 'user'), ofProject: false },
    { file: settingsFile({ root, config }, 'project'), ofProject: true },
    { file: settingsFile({ root, config }, 'local'), ofProject: true },
  ]
}
