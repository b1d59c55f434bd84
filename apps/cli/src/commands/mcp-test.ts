import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { serversIn } from '../mcp/open-servers.ts'
import { type NamedServer, serversOfRun, withVariables } from '../mcp/servers-of-run.ts'
import { type Places, placesOf } from '../places/places.ts'
import type { McpTestOutput, TestedServer } from '../schemas/mcp.ts'
import { hanging } from '../screen/hanging.ts'
import { type Paint, paintFor } from '../screen/paint.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { wallsOptions } from '../settings/walls-settings.ts'

/** Connects to each server as a run would, and lists what it offers. No tool is called. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const loaded = loadSettings(places, { environment: console.environment })
  const { servers, notes } = serversOfRun({ places, loaded, files: given.values('mcp-config') })
  const chosen = withVariables(chosenOf(servers, given), console).servers
  const walls = wallsOptions(loaded.settings.walls)
  const tested = await Promise.all(chosen.map((server) => test(server, { console, places, walls })))
  const output: McpTestOutput = { servers: tested }
  const look = { columns: columnsOf(console), paint: paintFor(given, console) }
  const faults = notes.filter((note) => !note.startsWith('MCP server'))
  if (given.has('json')) printJson(console, output)
  else printLines(console, [...tested.flatMap((one) => testedLines(one, look)), ...faults])
  return tested.every(({ state }) => state === 'connected') ? 'ok' : 'failure'
}

function chosenOf(servers: readonly NamedServer[], { words: [name] }: Given): readonly NamedServer[] {
  if (name === undefined && servers.length > 0) return servers
  const found = servers.filter((server) => server.name === name)
  if (found.length > 0) return found
  const known = servers.length === 0 ? 'There are none' : `There are: ${servers.map((one) => one.name).join(', ')}`
  const which = name === undefined ? '' : ` ${JSON.stringify(name)}`
  throw new UsageError(`There is no MCP server${which}. ${known}.`, 'mcp test')
}

async function test(
  server: NamedServer,
  around: { readonly console: Console; readonly places: Places; readonly walls: ReturnType<typeof wallsOptions> },
): Promise<TestedServer> {
  const started = performance.now()
  await using servers = serversIn([server], around)
  await servers.connected()
  const ms = Math.round(performance.now() - started)
  const [record] = servers.servers
  const tools = servers.tools.filter(({ definition }) => definition !== undefined)
  return {
    name: server.name,
    state: record?.state ?? 'failed',
    version: record?.version ?? null,
    walls: record?.walls ?? null,
    why: record?.why ?? null,
    ms,
    tools: servers.listed.map(({ name, description, hints, readOnly }, index) => ({
      name: tools[index]?.name ?? name,
      tool: name,
      description,
      hints: [...hints],
      asks: !readOnly,
    })),
    prompts: servers.prompts.map(({ name }) => name),
    resources: servers.resources.map(({ uri }) => uri),
  }
}

const mostResources = 10

function testedLines(
  { name, state, version, walls, why, ms, tools, prompts, resources }: TestedServer,
  look: { readonly columns: number; readonly paint: Paint },
): readonly string[] {
  const { paint, columns } = look
  const about = [
    ...(version === null ? [] : [inOneLine(version)]),
    ...(walls === null ? [] : [walls === 'none' ? 'without walls' : `in walls (${walls})`]),
    `${(ms / 1000).toFixed(1)} s`,
  ]
  const head = `${paint('bold', name)} ${paint(state === 'connected' ? 'green' : 'red', state)}  `
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : hanging(`  ${title}: `, title.length + 4, items.map(inOneLine).join(', '), { columns })
  const more = resources.length - mostResources
  return [
    ...hanging(head, name.length + state.length + 3, about.join(', '), { columns }),
    ...(why === null ? [] : hanging('  ', 2, inOneLine(why), { columns })),
    ...tools.flatMap((tool) => {
      const says = tool.hints.length === 0 ? '' : ` (says: ${tool.hints.join(', ')})`
      const asks = tool.asks ? '' : ' (runs unasked)'
      const [first = ''] = tool.description.split('\n')
      const mark = `  ${inOneLine(tool.name)}  `
      return hanging(mark, mark.length, `${inOneLine(first)}${says}${asks}`, { columns, below: 6, most: 2 })
    }),
    ...list(
      'prompts',
      prompts.map((prompt) => `/${name}:${prompt}`),
    ),
    ...list('resources', [
      ...resources.slice(0, mostResources).map((uri) => `@${name}:${uri}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ]),
  ]
}
