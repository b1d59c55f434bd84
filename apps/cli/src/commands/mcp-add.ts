import { asksForMore, McpServer, McpServerName, shownUrl } from '@loader/mcp/config'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { tell } from '../keys/tell.ts'
import { approve } from '../mcp/approvals.ts'
import { fileOfServers, writeServer } from '../mcp/server-files.ts'
import { serversOfRun } from '../mcp/servers-of-run.ts'
import { placesOf } from '../places/places.ts'
import { loadSettings } from '../settings/load-settings.ts'

/** Adds a server to the settings of the user, or to the file that the project shares. Nothing is started. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const [name = '', ...words] = given.words
  requireName(name)
  const server = serverOf(words, given)
  const whose = given.has('project') ? 'project' : 'user'
  const file = fileOfServers(whose, places)
  const { servers } = serversOfRun({ places, loaded: loadSettings(places), files: [] })
  const there = servers.find((one) => one.name === name)
  if (there?.source === file && !given.has('force')) {
    throw new UsageError(`There is a server ${name} in ${file} already. In its place: --force`, 'mcp add')
  }
  const { reach, writable, readOnly, ...shared } = server
  // What it may do is the word of this user; others who work on the project give theirs.
  writeServer(name, whose === 'user' ? server : shared, whose, places)
  const isApproved = whose === 'project' && asksForMore(server) !== undefined
  if (isApproved) approve(name, McpServer.parse(shared), { reach, writable, readOnly }, places)
  const what = server.url === undefined ? [server.command, ...(server.args ?? [])].join(' ') : shownUrl(server.url)
  tell(console, [
    `${name} is in ${file}: ${what}`,
    ...(isApproved ? ['You have approved it for this project; others are asked by: loader mcp approve'] : []),
    ...(there !== undefined && there.source !== file ? [`There is one in ${there.source} as well.`] : []),
    `Try it: loader mcp test ${name}`,
  ])
  return 'ok'
}

function requireName(name: string): void {
  const fault = McpServerName.safeParse(name).error?.issues[0]?.message
  if (fault !== undefined)
    throw new UsageError(`A server cannot be called ${JSON.stringify(name)}: ${fault}.`, 'mcp add')
}

function serverOf([first = '', ...rest]: readonly string[], given: Given): McpServer {
  const isAddress = /^https?:\/\//i.test(first)
  if (isAddress && rest.length > 0) throw new UsageError('An address stands alone.', 'mcp add')
  for (const option of isAddress ? (['env', 'reach', 'writable'] as const) : (['header'] as const)) {
    if (!given.has(option)) continue
    const why = isAddress ? 'a server that runs elsewhere' : 'a program that is started'
    throw new UsageError(`--${option} says nothing about ${why}.`, 'mcp add')
  }
  const [env, headers] = [pairs(given.values('env'), '='), pairs(given.values('header'), ':')]
  const [writable, readOnly] = [given.values('writable'), given.values('read-only')]
  const parsed = McpServer.safeParse({
    ...(isAddress ? { type: 'http', url: first } : { command: first, ...(rest.length > 0 && { args: rest }) }),
    ...(env && { env }),
    ...(headers && { headers }),
    ...(given.has('reach') && { reach: given.value('reach') }),
    ...(writable.length > 0 && { writable }),
    ...(readOnly.length > 0 && { readOnly }),
  })
  if (parsed.success) return parsed.data
  throw new UsageError(`That is no server: ${parsed.error.issues[0]?.message ?? 'not valid'}.`, 'mcp add')
}

function pairs(texts: readonly string[], sign: string): Readonly<Record<string, string>> | undefined {
  if (texts.length === 0) return undefined
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(sign)
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
      throw new UsageError(`${JSON.stringify(text)} has no ${sign} between a name and a value.`, 'mcp add')
    }),
  )
}
