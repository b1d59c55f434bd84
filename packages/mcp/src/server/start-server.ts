import { mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { codeOf, type StayingProcess, type WallsAroundOptions, wallsAround } from '@loader/workspace'
import type { McpServer } from '../config/server-settings.ts'

/** The walls of the agent's own commands, as far as those of servers are made like them. */
export interface ServerPlace {
  /** The real path of the project. */
  readonly root: string
  /** A private folder, for what walls need. */
  readonly scratch: string
  readonly walls?: Pick<WallsAroundOptions, 'use' | 'settings' | 'hidden' | 'variables' | 'bubblewrap' | 'credentials'>
}

/**
 * Starts the program of a server. Its walls are its own: around an empty folder, so that it changes nothing of the
 * project but what its settings name, and a walled command cannot leave behind what runs later. Each server has a /tmp.
 */
export async function startServer(
  name: string,
  server: McpServer,
  place: ServerPlace,
): Promise<{ readonly process: StayingProcess; readonly walls: string } | string> {
  const { command = '', args = [], env = {}, cwd, reach = 'work' } = server
  const folder = realFolder(resolve(place.root, cwd ?? '.'))
  if (folder === undefined) return `the folder ${cwd} to start it in is not there`
  const own = join(place.scratch, `mcp-${name}`)
  const empty = join(own, 'root')
  mkdirSync(empty, { recursive: true, mode: 0o700 })
  const { use, settings = {}, hidden, variables, bubblewrap } = place.walls ?? {}
  const named = (paths: readonly string[] = []) => paths.map((path) => namedPath(path, place.root))
  const forbidden = reach === 'open' ? undefined : await forbiddenIn(server.writable ?? [], place)
  if (forbidden !== undefined) return `it cannot be given ${forbidden}: name other folders, or give it the reach open`
  const walls = wallsAround({
    root: empty,
    scratch: own,
    caches: join(own, 'caches'),
    use,
    ...(bubblewrap !== undefined && { bubblewrap }),
    ...(variables && { variables }),
    hidden,
    settings: {
      readable: [...(settings.readable ?? []), place.root, ...named(server.readable)],
      writable: named(server.writable),
    },
  })
  const words = [command, ...args] as const
  const process = await walls.stay({ words: [words[0], ...args], cwd: folder, variables: env }, reach, 'server')
  if (process === undefined) {
    const { why = '' } = await walls.state()
    return `there are no walls to start it in (${why}). Give it the reach open to start it without`
  }
  const { state } = await walls.state()
  return { process, walls: reach === 'open' || state !== 'held' ? 'none' : 'bubblewrap' }
}

/**
 * What no server in walls can be given to write: the project as a whole, where other programs run what is in it; what is
 * guarded there from commands too; and what only looks as if it lay in the project.
 */
async function forbiddenIn(
  paths: readonly string[],
  { root, walls, scratch }: ServerPlace,
): Promise<string | undefined> {
  const project =
    paths.length === 0 ? undefined : wallsAround({ ...walls, root, scratch: join(scratch, 'mcp-project') })
  for (const path of paths) {
    const named = namedPath(path, root)
    const real = realFolder(named) ?? named
    if (holds(real, root)) return `${path}, which has the project in it`
    const isNamedInside = holds(root, named)
    if (isNamedInside && !holds(root, real)) return `${path}, which leads out of the project`
    const access = isNamedInside ? await project?.access(real, 'mcp-project', 'work') : undefined
    if (access !== undefined && access.kind !== 'writable') return `${path}, which is guarded`
  }
  return undefined
}

function namedPath(path: string, root: string): string {
  return path.startsWith('~/') || isAbsolute(path) ? path : resolve(root, path)
}

/** Whether a folder is another one or lies around it. */
function holds(folder: string, other: string): boolean {
  const real = realFolder(folder) ?? folder
  return other === real || other.startsWith(real.endsWith('/') ? real : `${real}/`)
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
