import * as z from 'zod'
import { McpServer, McpServerName } from './server-settings.ts'

/** The servers of a file in the form that programs share, and why others of it cannot be used. */
export interface ServersOfFile {
  readonly servers: Readonly<Record<string, McpServer>>
  readonly faults: readonly string[]
}

const Shared = z.looseObject({ mcpServers: z.record(z.string(), z.looseObject({})).optional() })

/** Parses `{ "mcpServers": { … } }`. Other programs have more keys, which are left alone. */
export function serversOfFile(value: unknown, file: string): ServersOfFile {
  const parsed = Shared.safeParse(value)
  if (!parsed.success) return { servers: {}, faults: [`${file} has no object mcpServers`] }
  const servers: Record<string, McpServer> = Object.create(null) as Record<string, McpServer>
  const faults: string[] = []
  for (const [name, given] of Object.entries(parsed.data.mcpServers ?? {})) {
    const wrongName = McpServerName.safeParse(name).error?.issues[0]?.message
    const known = Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(McpServer.shape, key)))
    const server = McpServer.safeParse({ ...known, ...plainType(given) })
    if (wrongName !== undefined) faults.push(`${file}: the name of the server ${JSON.stringify(name)}: ${wrongName}`)
    else if (server.success) servers[name] = server.data
    else faults.push(`${file}: mcpServers.${name}${faultOf(server.error)}`)
  }
  return { servers, faults }
}

/** `sse` is a transport of older servers, which streamable HTTP has replaced. */
function plainType({ type }: { readonly [key: string]: unknown }): { readonly type?: unknown } {
  return type === undefined || type === null ? {} : { type }
}

function faultOf({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return ' is not valid'
  return `${issue.path.map((part) => `.${String(part)}`).join('')}: ${issue.message}`
}
