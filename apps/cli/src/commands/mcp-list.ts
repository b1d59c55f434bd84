import { shownUrl } from '@loader/mcp/config'
import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { type NamedServer, serversOfRun, withVariables } from '../mcp/servers-of-run.ts'
import { placesOf } from '../places/places.ts'
import { shortPath } from '../places/short-path.ts'
import type { ListedServer, McpListOutput } from '../schemas/mcp.ts'
import { printNotes } from '../screen/notes.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { hanging } from '../screen/hanging.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** Lists the servers, wherever they are named. Nothing is started. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { servers, notes } = serversOfRun({ places, loaded: loadSettings(places), files: [] })
  const expanded = withVariables(servers, console).servers
  const output: McpListOutput = {
    servers: servers.map((server, index) => listed(server, expanded[index]?.inert)),
  }
  const look = { columns: columnsOf(console), paint: paintFor(given, console) }
  if (given.has('json')) printJson(console, output)
  else printLines(console, serverLines(output, places.root, look))
  printNotes(
    console,
    notes.filter((note) => !note.startsWith('MCP server')),
  )
  return 'ok'
}

function listed({ name, source, server, ofProject }: NamedServer, inert: string | undefined): ListedServer {
  const { command = '', args = [], url, reach = 'work' } = server
  return {
    name,
    transport: url === undefined ? 'stdio' : 'http',
    target: url === undefined ? [command, ...args].join(' ') : shownUrl(url),
    source,
    origin: ofProject ? 'project' : 'user',
    reach: url === undefined ? reach : null,
    inert: inert ?? null,
  }
}

function serverLines(
  { servers }: McpListOutput,
  root: string,
  look: { readonly columns: number; readonly paint: Paint },
): readonly string[] {
  if (servers.length === 0) return ['There are no MCP servers. Add one: loader mcp add <name> -- <command>']
  const { paint, columns } = look
  return servers.flatMap(({ name, target, source, reach, inert }) => {
    const state = inert === null ? paint('green', 'starts') : paint('yellow', 'waits')
    const walls = reach === null ? '' : `, reach ${reach}`
    return [
      ...hanging(`${paint('bold', name)}  `, name.length + 2, inOneLine(target), { columns }),
      ...hanging(`  ${state}  `, (inert === null ? 6 : 5) + 4, `${inOneLine(shortPath(source, root))}${walls}`, {
        columns,
      }),
      ...(inert === null ? [] : hanging('    ', 4, inOneLine(inert), { columns })),
    ]
  })
}
