import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { LoaderError } from '@loader/session-core'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import { homeFolder } from '@loader/workspace'

/** Where things are for one start of the command. */
export interface Places {
  /** The folder that the command works in. */
  readonly folder: string
  /** The project that this folder belongs to. */
  readonly root: string
  /** The user's own settings, rules and trust. */
  readonly config: string
}

export function placesOf(given: Given, { environment, folder }: Console): Places {
  const wanted = given.value('cd')
  const here = wanted === undefined ? folder : resolve(folder, wanted)
  if (!existsSync(here)) throw new UsageError(`There is no folder ${here}.`, given.command.name)
  if (!statSync(here).isDirectory()) throw new UsageError(`${here} is not a folder.`, given.command.name)
  const real = realpathSync(here)
  return { folder: real, root: projectRoot(real), config: configFolder(environment) }
}

/** The nearest folder upwards with sessions or a repository in it; without one, the folder itself. */
export function projectRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (isProject(place) && (place === folder || mayHoldOthers(place))) return place
    if (dirname(place) === place) return folder
  }
}

function isProject(folder: string): boolean {
  return existsSync(join(folder, '.loader')) || existsSync(join(folder, '.git'))
}

/**
 * A `.loader` or `.git` of the home folder does not make a project of everything below it. In a folder that everybody
 * may write to, such as /tmp, it may be somebody else's.
 */
function mayHoldOthers(folder: string): boolean {
  return folder !== homeFolder() && (process.platform === 'win32' || (statSync(folder).mode & 0o002) === 0)
}

/** By the XDG rules; LOADER_CONFIG_DIR overrides them. A relative XDG path counts as not set. */
export function configFolder(environment: Console['environment']): string {
  const own = environment['LOADER_CONFIG_DIR']
  if (own !== undefined && own !== '') return resolve(own)
  const xdg = environment['XDG_CONFIG_HOME']
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'loader')
  const home = homeFolder()
  if (home !== undefined) return join(home, '.config', 'loader')
  throw new LoaderError(
    'invalid_config',
    'There is no place for your own settings: the system knows no home folder of yours. Set HOME or LOADER_CONFIG_DIR.',
  )
}
