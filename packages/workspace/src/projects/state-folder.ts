import { isAbsolute, join, resolve } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { homeFolder } from './home-folder.ts'

/** An environment, as Node has it. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * The folder for all records of a user's projects: named by LOADER_STATE, otherwise by the conventions of the system. A
 * relative XDG_STATE_HOME counts as not set, as its specification demands.
 */
export function stateFolder(variables: EnvironmentVariables, platform: string = process.platform): string {
  const own = variables['LOADER_STATE']
  if (own !== undefined && own !== '') return resolve(own)
  const xdg = variables['XDG_STATE_HOME']
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'loader')
  const local = variables['LOCALAPPDATA']
  if (platform === 'win32' && local !== undefined && isAbsolute(local)) return join(local, 'loader')
  const home = homeFolder()
  if (home === undefined) {
    throw new LoaderError(
      'invalid_config',
      'There is no place for your sessions: the system knows no home folder of yours. Set HOME or LOADER_STATE.',
    )
  }
  if (platform === 'win32') return join(home, 'AppData', 'Local', 'loader')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'loader')
  return join(home, '.local', 'state', 'loader')
}
