import { bubblewrapFor } from '../processes/command-setup.ts'
import { findContainment } from '../processes/containment.ts'
import { childVariables, type ChildVariables } from '../processes/child-variables.ts'
import type { ProcessOptions } from '../processes/process-options.ts'
import { programOnPath } from '../processes/program-on-path.ts'
import { BubblewrapWalls } from './bubblewrap.ts'
import { mendingLine, thisSystem } from './mending.ts'
import { NoWalls } from './none.ts'
import { foldersToSeal } from './sealed.ts'
import { type SystemCallFilters, systemCallFilters } from './system-calls.ts'
import { type OverlayPrograms, tryBubblewrap, tryFilter, tryOverlays, trySeals } from './try-walls.ts'
import type { Walls } from './walls.ts'

export interface FindWallsOptions extends ProcessOptions {
  /** Programs in this folder are not used. */
  readonly root: string
  /** `off` is for machines that isolate commands themselves, such as containers. */
  readonly walls?: 'required' | 'off' | undefined
  /** A folder on the file system for layers. Absent means that of temporary files. */
  readonly layers?: string | undefined
}

/** The best walls that this system allows. They are tried out, because a system can forbid what is installed. */
export async function findWalls(options: FindWallsOptions): Promise<Walls> {
  const variables = childVariables(options)
  const bubblewrap = bubblewrapFor(options.root, options, variables)
  const outside = await findContainment(bubblewrap)
  if (options.walls === 'off') return new NoWalls('walls are switched off', undefined, outside)
  const system = thisSystem()
  if (bubblewrap === undefined) {
    const why =
      system.platform === 'linux' ? 'bubblewrap is not installed' : `there are no walls on ${system.platform} yet`
    return new NoWalls(why, mendingLine(system, 'missing'), outside)
  }
  const works = await tryBubblewrap(bubblewrap)
  if (works !== true)
    return new NoWalls(`bubblewrap does not work here (${works})`, mendingLine(system, 'forbidden'), outside)
  const overlays = await findOverlays(options, variables)
  const filters = await findFilters(bubblewrap)
  const sealable = typeof overlays === 'string' ? [] : await trySeals(overlays, foldersToSeal(), options.layers)
  const nsenter = programOnPath('nsenter', variables, options.root)
  return new BubblewrapWalls({ bubblewrap, overlays, filters, sealable, outside, nsenter })
}

async function findFilters(bubblewrap: string): Promise<SystemCallFilters | string> {
  const filters = systemCallFilters(process.arch)
  if (filters === undefined) return `system calls are not filtered: the numbers that ${process.arch} has are not known`
  const works = await tryFilter(bubblewrap, filters.none)
  return works === true ? filters : `system calls are not filtered: the kernel takes no filter here (${works})`
}

async function findOverlays(options: FindWallsOptions, variables: ChildVariables): Promise<OverlayPrograms | string> {
  const unshare = programOnPath('unshare', variables, options.root)
  const mount = programOnPath('mount', variables, options.root)
  if (unshare === undefined || mount === undefined) return 'packages are read-only: there is no unshare or mount'
  const works = await tryOverlays({ unshare, mount }, options.layers)
  return works === true ? { unshare, mount } : `packages are read-only: no overlay can be mounted here (${works})`
}
