import { join } from 'node:path'
import { McpServers } from '@loader/mcp'
import { keepProject, stateFolder, type WallsAroundOptions } from '@loader/workspace'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { keptLogins, tokensIn } from './kept-logins.ts'
import { type NamedServer, serversOfRun, withVariables } from './servers-of-run.ts'
import { reservedNames } from './reserved-names.ts'

export interface OpenServers {
  readonly console: Console
  readonly places: Places
  readonly loaded: LoadedSettings
  /** The files of --mcp-config. */
  readonly files: readonly string[]
  /** The walls of the run. */
  readonly walls: Pick<WallsAroundOptions, 'use' | 'settings'>
}

/** The servers of a run, which connect in the background; undefined if none is to be started. */
export function openServers(options: OpenServers): {
  readonly servers: McpServers | undefined
  readonly notes: readonly string[]
  /** What nothing may show: tokens, and values of variables that servers get. */
  readonly secrets: readonly string[]
} {
  const { servers: named, notes } = serversOfRun(options)
  const { servers, secrets } = withVariables(named, options.console)
  const unset = servers.filter(({ inert }) => inert?.startsWith('not set: '))
  const all = [...notes, ...unset.map(({ name, inert }) => `MCP server ${name} not started: ${inert}`)]
  if (servers.every(({ inert }) => inert !== undefined)) return { servers: undefined, notes: all, secrets: [] }
  const opened = serversIn(servers, options)
  opened.connect()
  return { servers: opened, notes: all, secrets: [...secrets, ...tokensIn(options.places)] }
}

/** The same for servers that are chosen already, and not connected yet. */
export function serversIn(
  servers: readonly NamedServer[],
  { console, places, walls }: Omit<OpenServers, 'loaded' | 'files'>,
): McpServers {
  const project = places.project()
  // Walls make a folder there, which must say whose it is.
  keepProject(project)
  const { folder } = project.folders
  return new McpServers({
    servers,
    place: {
      root: places.root,
      scratch: join(folder, 'scratch'),
      walls: { ...walls, hidden: [stateFolder(console.environment), places.config], variables: console.environment },
    },
    logins: keptLogins(places),
    variables: console.environment,
    reserved: reservedNames(places.root),
    version: console.version,
  })
}
