import { resolve } from 'node:path'
import { asksForMore, expandServer, McpServer, type ServerDefinition, serversOfFile } from '@loader/mcp/config'
import { LoaderError } from '@loader/session-core'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { readJsonText } from '../settings/json-text.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { settingsFiles } from '../settings/settings-files.ts'
import { textOfFile } from '../settings/text-of-file.ts'
import { granted, grantsIn } from './approvals.ts'
import { sharedServersFile } from './configured.ts'

/** A server as it is written somewhere, before variables of the user stand in it. */
export interface NamedServer extends ServerDefinition {
  readonly ofProject: boolean
  /** What trust in the project alone does not give, and the user has not given. */
  readonly wants?: string
}

export interface ServersOfRun {
  /** By name, the first of each counts: flags, the user's own, those of the project, those of `.mcp.json`. */
  readonly servers: readonly NamedServer[]
  readonly notes: readonly string[]
}

interface Sources {
  readonly places: Pick<Places, 'root' | 'config' | 'folder'>
  readonly loaded: LoadedSettings
  /** The files of --mcp-config. */
  readonly files: readonly string[]
}

/** Every server that is named anywhere, and why those that are not to be started are not. */
export function serversOfRun(sources: Sources): ServersOfRun {
  const { places, loaded } = sources
  const { servers: written, faults } = writtenIn(sources)
  const grants = grantsIn(places)
  const servers = written.map((server) =>
    server.ofProject ? judged(server, loaded.trusted, grants[server.name]) : server,
  )
  return { servers: servers.map(switchedOff), notes: [...faults, ...inertNotes(servers)] }
}

/** The servers without what the user has granted, or has not. */
export function serversAsWritten(sources: Sources): readonly NamedServer[] {
  return writtenIn(sources).servers
}

function writtenIn({ places, loaded, files }: Sources): {
  readonly servers: readonly NamedServer[]
  readonly faults: readonly string[]
} {
  const ofFlags = files.map((file) => fileOf(resolve(places.folder, file), false, 'needed'))
  const shared = fileOf(sharedServersFile(places), true, 'welcome')
  const all = [...ofFlags.flatMap(({ servers }) => servers), ...ofSettings(loaded, places), ...shared.servers]
  const first = all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
  return { servers: first, faults: [...ofFlags.flatMap((one) => one.faults), ...shared.faults] }
}

/** The same with variables of the user in place. What is not set makes a server inert. */
export function withVariables(
  servers: readonly NamedServer[],
  { environment }: Pick<Console, 'environment'>,
): { readonly servers: readonly NamedServer[]; readonly secrets: readonly string[] } {
  const expanded = servers.map((one) => ({ one, ...expandServer(one.server, environment) }))
  return {
    servers: expanded.map(({ one, server, missing }) => ({
      ...one,
      server,
      ...(one.inert === undefined && missing.length > 0 && { inert: `not set: ${missing.join(', ')}` }),
    })),
    secrets: expanded.filter(({ one }) => one.inert === undefined).flatMap(({ secrets }) => secrets),
  }
}

/** A server of a project is started when the project is trusted, and what it asks for beyond that is approved. */
function judged(named: NamedServer, trusted: boolean, grant: Parameters<typeof granted>[1]): NamedServer {
  if (!trusted) return { ...named, inert: 'this project is not trusted: loader permissions trust' }
  const server = granted(named.server, grant)
  if (server !== undefined) return { ...named, server }
  const wants = asksForMore(named.server)
  if (wants === undefined) return named
  const since = grant === undefined ? '' : ' (it is not as it was when you approved it)'
  return { ...named, wants, inert: `${wants}${since}: loader mcp approve ${named.name}` }
}

function switchedOff(server: NamedServer): NamedServer {
  return server.server.enabled === false ? { ...server, inert: 'it is switched off' } : server
}

function inertNotes(servers: readonly NamedServer[]): readonly string[] {
  const waiting = servers.filter(({ inert, server }) => inert !== undefined && server.enabled !== false)
  const reasons = [...new Set(waiting.map(({ inert }) => inert))]
  return reasons.map((reason) => {
    const names = waiting.filter(({ inert }) => inert === reason).map(({ name }) => name)
    return `MCP ${names.length === 1 ? 'server' : 'servers'} ${names.join(', ')} not started: ${reason}`
  })
}

function ofSettings({ origins }: LoadedSettings, places: Pick<Places, 'root' | 'config'>): readonly NamedServer[] {
  const ofProject = new Set(settingsFiles(places).flatMap(({ file, ofProject }) => (ofProject ? [file] : [])))
  const named = origins.flatMap(({ name, value, source }) => {
    const server = name.startsWith('mcpServers.') ? McpServer.safeParse(value).data : undefined
    const about = { name: name.slice('mcpServers.'.length), source, ofProject: ofProject.has(source) }
    return server === undefined ? [] : [{ ...about, server }]
  })
  // A name of the user's own must not come to mean a program of a project.
  return [...named.filter((one) => !one.ofProject), ...named.filter((one) => one.ofProject)]
}

function fileOf(
  file: string,
  ofProject: boolean,
  wanted: 'needed' | 'welcome',
): { readonly servers: readonly NamedServer[]; readonly faults: readonly string[] } {
  const text = textOfFile(file)
  if (text === undefined) {
    if (wanted === 'welcome') return { servers: [], faults: [] }
    throw new LoaderError('invalid_config', `--mcp-config ${file}: there is no such file.`)
  }
  const json = readJsonText(text)
  if (!json.ok) {
    const fault = `${file}:${json.line}: this is not JSON: ${json.reason}`
    if (wanted === 'welcome') return { servers: [], faults: [`${fault}. None of its servers is started`] }
    throw new LoaderError('invalid_config', `${fault}. Mend the file.`)
  }
  const { servers, faults } = serversOfFile(json.value, file)
  if (wanted === 'needed' && faults.length > 0) throw new LoaderError('invalid_config', `${faults.join('; ')}.`)
  const named = Object.entries(servers).map(([name, server]) => ({ name, server, source: file, ofProject }))
  return { servers: named, faults }
}
