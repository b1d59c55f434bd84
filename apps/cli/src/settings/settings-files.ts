import { join } from 'node:path'
import type { Places } from '../places/places.ts'

/** The files of settings, from weak to strong, there or not. */
export function settingsFiles({
  root,
  config,
}: Pick<Places, 'root' | 'config'>): { readonly file: string; readonly ofProject: boolean }[] {
  return [
    { file: join(config, 'settings.json'), ofProject: false },
    { file: join(root, '.loader', 'settings.json'), ofProject: true },
    { file: join(root, '.loader', 'settings.local.json'), ofProject: true },
  ]
}
